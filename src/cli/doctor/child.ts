import { execFile } from 'node:child_process'

/** How a child process ended. */
export interface ChildEnd {
  readonly stdout: string
  /** Such as `exit code 1` or `SIGSEGV`. */
  readonly how: string
}

/** Runs this program again, in a process of its own. */
export function runInChild(args: readonly string[], seconds: number): Promise<ChildEnd> {
  const [, script = ''] = process.argv
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [...process.execArgv, script, ...args],
      { timeout: seconds * 1000, killSignal: 'SIGKILL' },
      (_error, stdout) => resolve({ stdout, how: child.signalCode ?? `exit code ${child.exitCode}` }),
    )
  })
}
