import { execFile } from 'node:child_process'
import { program } from '../../fixtures/program.ts'
import type { ChildReport, ChildTask, Repeated } from './child-task.ts'

const script = program('test/strands-shell/children/run-commands.ts')

/** What surrounds a child process. */
export interface ChildSurroundings {
  /** Added to an environment without any `RUST_` variable. */
  readonly env?: Readonly<Record<string, string>>
  /** What the child finds on its standard input. */
  readonly input?: string
}

/** A command, as the task of a child process carries it. */
export function once(text: string): readonly Repeated[] {
  return [{ text, times: 1 }]
}

/** How a child process ended, and what it reported if it did. */
export interface ChildEnd {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly report: ChildReport | undefined
  readonly stderr: string
}

/** Runs commands in a sandbox of another process. */
export function runInChild(
  task: ChildTask,
  { env = {}, input = '' }: ChildSurroundings = {},
): Promise<ChildEnd> {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !name.startsWith('RUST_') && name !== 'NODE_OPTIONS',
  )
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [script, JSON.stringify(task)],
      { env: { ...Object.fromEntries(inherited), ...env }, timeout: 100_000, maxBuffer: 64 * 1024 * 1024 },
      (_error, stdout, stderr) => {
        const report = stdout === '' ? undefined : (JSON.parse(stdout) as ChildReport)
        resolve({ code: child.exitCode, signal: child.signalCode, report, stderr })
      },
    )
    child.stdin?.end(input)
  })
}
