import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { program } from '../fixtures/program.ts'

/** The root of the sources. */
export const repository = fileURLToPath(new URL('../..', import.meta.url))

/** The words that start the command line. */
export const cli = [process.execPath, program('src/cli/main.ts')] as const

/** How a run of the command line ended. */
export interface CliEnd {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

/** What a run is given besides its words. */
export interface CliOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly stdin?: string | Uint8Array
  /** The input stays open until the process has written this text to standard output. Default: it ends at once. */
  readonly inputUntil?: string
  /** Called when the process has started, with how to send it a signal. */
  readonly onStart?: (kill: (signal: NodeJS.Signals) => void) => void
  /** Called with all of its standard output so far. */
  readonly onOutput?: (stdout: string) => void
  /** Milliseconds after which the process counts as hung. Default: 40 s. */
  readonly guard?: number
}

/** Runs the command line in a process of its own. */
export function runCli(args: readonly string[], options: CliOptions = {}): Promise<CliEnd> {
  return runProcess([...cli, ...args], options)
}

/** Runs shell text of this machine in which `"$@"` is the command line. */
export function runShell(script: string, options: CliOptions = {}): Promise<CliEnd> {
  return runProcess(['/bin/sh', '-c', script, 'sh', ...cli], options)
}

function runProcess([file = '', ...args]: readonly string[], options: CliOptions): Promise<CliEnd> {
  const { env = {}, stdin, inputUntil = '', onStart, onOutput, guard = 40_000 } = options
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, {
      cwd: repository,
      env: { ...clean(process.env), ...env },
      timeout: guard,
      killSignal: 'SIGKILL',
    })
    const output = { stdout: '', stderr: '' }
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].setEncoding('utf8').on('data', (text: string) => {
        output[name] += text
        if (name === 'stdout') onOutput?.(output.stdout)
        if (inputUntil !== '' && output.stdout.includes(inputUntil)) child.stdin.end()
      })
    }
    child.once('spawn', () => onStart?.((signal) => child.kill(signal)))
    child.once('error', reject)
    child.once('close', (code, signal) => resolve({ code, signal, ...output }))
    child.stdin.on('error', () => undefined).write(stdin ?? '')
    if (inputUntil === '') child.stdin.end()
  })
}

/** Without what would change how the program writes. */
export function clean(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const changes = new Set(['DEBUG', 'FORCE_COLOR', 'NODE_OPTIONS', 'RUST_MIN_STACK'])
  return Object.fromEntries(Object.entries(env).filter(([name]) => !changes.has(name)))
}
