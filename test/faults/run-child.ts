import { execFile } from 'node:child_process'
import { program } from '../fixtures/program.ts'

/** How a child process ended. */
export interface ChildEnd {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

/**
 * Runs a script of `children/` in a process of its own, without any option of V8's. One that does not end by
 * itself within `seconds` is killed, which its `signal` then says. `env` comes on top of this process's.
 */
export function runChild(
  name: string,
  args: readonly string[],
  seconds = 30,
  env: NodeJS.ProcessEnv = {},
): Promise<ChildEnd> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [program(`test/faults/children/${name}.ts`), ...args],
      { timeout: seconds * 1000, killSignal: 'SIGKILL', env: { ...process.env, NODE_OPTIONS: '', ...env } },
      (_error, stdout, stderr) => resolve({ code: child.exitCode, signal: child.signalCode, stdout, stderr }),
    )
  })
}

/** A child that ended well, having printed these lines. */
export function endedWell(...lines: string[]): ChildEnd {
  return { code: 0, signal: null, stdout: lines.map((line) => `${line}\n`).join(''), stderr: '' }
}
