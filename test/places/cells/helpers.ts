import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, rmSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { buildSync } from 'esbuild'
import { expect, onTestFinished } from 'vitest'
import type {
  ShellHost,
  ShellHostOptions,
  StrandsShellConfig,
  StrandsShellSandbox,
} from '../../../src/index.ts'
import { SandboxError, SessionLoss } from '../../../src/index.ts'
import { makeHost, until } from '../../faults/helpers.ts'
import { program } from '../../fixtures/program.ts'
import { cellPids } from './cell-pids.ts'

/** One cell of a host, and two sandboxes in it. */
export interface Inhabited {
  readonly pid: number
  readonly sandboxes: readonly [StrandsShellSandbox, StrandsShellSandbox]
}

/** A host of cells that the test's end closes; then no process of it is left. */
export function cellHost(options: ShellHostOptions = {}): ShellHost {
  const before = new Set(cellPids())
  onTestFinished(() => until(() => cellPids().every((pid) => before.has(pid))))
  return makeHost({ isolation: 'process', maxCells: 2, sandboxesPerCell: 2, ...options })
}

/** A config whose sandboxes share a cell with those of the same name only: they may reach what nobody else may. */
export function ofCell(name: number | string, config: StrandsShellConfig = {}): StrandsShellConfig {
  return { ...config, allowedUrls: [`https://cell-${name}.example/`] }
}

/** Opens two sandboxes in each of two cells: the host has none yet, and room for two. */
export async function inhabit(host: ShellHost): Promise<readonly [Inhabited, Inhabited]> {
  const start = async (cell: number) => {
    const before = new Set(cellPids())
    const sandbox = await host.open(ofCell(cell))
    const [pid, more] = cellPids().filter((started) => !before.has(started))
    if (pid === undefined || more !== undefined) throw new Error('not one cell was started')
    return { pid, sandbox }
  }
  const [a, b] = [await start(0), await start(1)]
  return [
    { pid: a.pid, sandboxes: [a.sandbox, await host.open(ofCell(0))] },
    { pid: b.pid, sandboxes: [b.sandbox, await host.open(ofCell(1))] },
  ]
}

let entries = 0

/** Has a host start its cells with this source, which finds the project's under `#src` and ends as the entry does. */
export function cellEntry(source: string): URL {
  const outfile = fileURLToPath(new URL(`../../.tmp/cells/${process.pid}-${++entries}.mjs`, import.meta.url))
  mkdirSync(fileURLToPath(new URL('.', pathToFileURL(outfile))), { recursive: true })
  onTestFinished(() => rmSync(outfile, { force: true }))
  const src = fileURLToPath(new URL('../../../src', import.meta.url))
  buildSync({
    stdin: {
      contents: `${source}\nimport '#src/places/cells/inside/entry.ts'`,
      resolveDir: src,
      loader: 'ts',
    },
    outfile,
    alias: { '#src': src, piscina: fileURLToPath(new URL('../../../.tmp/pool.mjs', import.meta.url)) },
    bundle: true,
    external: ['@napi-rs/nice'],
    platform: 'node',
    format: 'esm',
    target: 'node20.18',
    ignoreAnnotations: true,
    logLevel: 'warning',
  })
  return pathToFileURL(outfile)
}

/** A cell entry with a fault that SIGUSR2 sets off. */
export function faultyCell(fault: string): URL {
  return cellEntry(`
    import { existsSync, readFileSync, writeFileSync, writeSync } from 'node:fs'
    import { OutgoingMessage } from '#src/channel/outgoing.ts'
    import { encode } from '#src/channel/encode.ts'
    /** Writes a message onto a pipe behind the channel's back. */
    function forge(message: unknown, lane = 0, pipe = 3): void {
      const chunks: Buffer[] = []
      const outgoing = new OutgoingMessage(encode(message))
      while (!outgoing.takeFrame(lane, chunks));
      writeSync(pipe, Buffer.concat(chunks))
    }
    process.on('SIGUSR2', () => { ${fault} })`)
}

/** How a call ended: what it printed, or what its error and its loss say. */
export async function told(call: Promise<unknown>): Promise<unknown> {
  try {
    const value = await call
    return typeof value === 'object' && value !== null && 'stdout' in value ? value.stdout : value
  } catch (error) {
    if (!(error instanceof SandboxError)) throw error
    const { name, code, cause } = error
    return cause instanceof SessionLoss
      ? { name, code, cause: cause.code, why: cause.message }
      : { name, code }
  }
}

/** A lost session, as {@link told} tells it. */
export function lostBy(cause: string, why: string | RegExp): unknown {
  return { name: 'WorkerLostError', code: 'WORKER_LOST', cause, why: expect.stringMatching(why) }
}

/** How a script of `children/` ended, and what it printed. */
export interface ScriptEnd {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

/** A script of `children/` in a process of its own, which is killed after `seconds`. */
export function startScript(
  name: string,
  args: readonly string[] = [],
  seconds = 40,
): { readonly child: ChildProcess; readonly end: Promise<ScriptEnd> } {
  const script = program(`test/places/cells/children/${name}.ts`)
  const options = {
    timeout: seconds * 1000,
    killSignal: 'SIGKILL',
    env: { ...process.env, NODE_OPTIONS: '' },
  } as const
  const child = spawn(process.execPath, [script, ...args], { ...options, stdio: 'pipe' })
  const output = [text(child.stdout), text(child.stderr)]
  const end = once(child, 'close').then(async () => {
    const [stdout = '', stderr = ''] = await Promise.all(output)
    return { code: child.exitCode, signal: child.signalCode, stdout, stderr }
  })
  return { child, end }
}
