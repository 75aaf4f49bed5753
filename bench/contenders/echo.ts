import { Worker } from 'node:worker_threads'
import { Cannot, type Contender, type Setting, type Shell } from './contender.ts'

/** Answers every command with the output of `true` or `echo`, and stores files. */
const code = `
const { parentPort } = require('node:worker_threads')
const files = new Map()
parentPort.on('message', ({ id, command, path, content }) => {
  if (command !== undefined) parentPort.postMessage({ id, exitCode: 0, stdout: command.startsWith('echo ') ? command.slice(5) + '\\n' : '' })
  else if (content !== undefined) { files.set(path, content); parentPort.postMessage({ id }) }
  else parentPort.postMessage({ id, content: files.get(path) })
})`

interface Reply {
  readonly id: number
  readonly exitCode: number
  readonly stdout: string
  readonly content: Uint8Array
}

/** A bare worker that posts answers back. It is the lower limit for a shell in a thread, and is no shell itself. */
export const echo: Contender = {
  name: 'echo',
  start: async ({ warm = 0 }: Setting = {}) => {
    if (warm > 0) throw new Cannot('keeps no places ready')
    return { open: openWorker, close: async () => undefined }
  },
}

async function openWorker(tree?: string): Promise<Shell> {
  if (tree !== undefined) throw new Cannot('is no shell')
  const worker = new Worker(code, { eval: true, execArgv: [], env: {} })
  const waiting = new Map<number, (reply: Reply) => void>()
  let asked = 0
  worker.on('message', (reply: Reply) => {
    waiting.get(reply.id)?.(reply)
    waiting.delete(reply.id)
  })
  const ask = (question: object) =>
    new Promise<Reply>((resolve) => {
      asked += 1
      waiting.set(asked, resolve)
      worker.postMessage({ id: asked, ...question })
    })
  await ask({ command: 'true' })
  return {
    root: '/tmp',
    execute: (command) => ask({ command }),
    readFile: async (path) => (await ask({ path })).content,
    writeFile: async (path, content) => {
      await ask({ path, content })
    },
    close: async () => {
      await worker.terminate()
    },
  }
}
