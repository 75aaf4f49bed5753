import { once } from 'node:events'
import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'
import { type Answer, Cannot, type Contender, type Shell } from './contender.ts'

/** The file of the engine's addon, in the environment of the contender's process. */
export const ADDON_VARIABLE = 'BENCH_ADDON'

interface NativeShell {
  run(command: string): Promise<{ readonly status: number; readonly stdout: string }>
  readFile(path: string): Promise<Uint8Array>
  writeFile(path: string, content: Uint8Array): Promise<void>
}

interface NativeBuilder {
  bind(source: string, destination: string): void
  build(): Promise<NativeShell>
}

interface Addon {
  readonly ShellBuilder: new () => NativeBuilder
}

/** The engine's own calls, awaited on the thread that makes them, with nothing around. */
export const raw: Contender = {
  name: 'raw',
  start: async ({ startEach, warm = 0 } = {}) => {
    if (warm > 0) throw new Cannot('keeps no places ready')
    const file = process.env[ADDON_VARIABLE]
    if (file === undefined) throw new Error(`${ADDON_VARIABLE} does not name the addon.`)
    if (startEach === true) return { open: () => openWorker(file), close: async () => undefined }
    const { ShellBuilder }: Addon = createRequire(import.meta.url)(file)
    return { open: (tree) => openShell(new ShellBuilder(), tree), close: async () => undefined }
  },
}

async function openShell(builder: NativeBuilder, tree: string | undefined): Promise<Shell> {
  if (tree !== undefined) builder.bind(tree, '/work')
  const shell = await builder.build()
  return {
    root: tree === undefined ? '/tmp' : '/work',
    execute: async (command) => {
      const { status, stdout } = await shell.run(command)
      return { exitCode: status, stdout }
    },
    readFile: (path) => shell.readFile(path),
    writeFile: (path, content) => shell.writeFile(path, content),
    close: async () => undefined,
  }
}

const startedCode = `
const { parentPort, workerData } = require('node:worker_threads')
const { ShellBuilder } = require(workerData)
const built = new ShellBuilder().build()
parentPort.on('message', async (command) => {
  const { status, stdout } = await (await built).run(command)
  parentPort.postMessage({ exitCode: status, stdout })
})`

/** A shell in a bare worker that is started for it. */
async function openWorker(file: string): Promise<Shell> {
  const worker = new Worker(startedCode, { eval: true, execArgv: [], env: {}, workerData: file })
  const noFiles = () => Promise.reject(new Cannot('has no files here'))
  return {
    root: '/tmp',
    execute: async (command) => {
      worker.postMessage(command)
      const [answer] = (await once(worker, 'message')) as [Answer]
      return answer
    },
    readFile: noFiles,
    writeFile: noFiles,
    close: async () => {
      await worker.terminate()
    },
  }
}
