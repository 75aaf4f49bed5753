import type { Contender, ContenderName, Shell, ShellSource } from './contenders/contender.ts'
import type { Figure } from './figure.ts'
import type { CaseResult, ScenarioHead } from './results.ts'

/** The samples of one round of a contender by case, or why there are none. */
export type Samples = Readonly<Record<string, readonly number[] | string>>

/** Work that every contender does. */
export interface Scenario extends ScenarioHead {
  /** Names of what is measured, in order. */
  readonly cases: readonly string[]
  /** Contenders that do not take part, and why. */
  readonly cannot?: Readonly<Partial<Record<ContenderName, string>>>
  /** Rounds of a full run; the contenders take turns in each. */
  readonly rounds: number
  /** Starts a new process for each round, so that only one contender's process is alive at a time. */
  readonly alone?: boolean
  /** Runs in the contender's process and yields once a round. `effort` scales the length of a round: 1 in a full run. */
  measure(contender: Contender, effort: number): AsyncGenerator<Samples, void, undefined>
  /** Figures with a target, from the results. */
  targets?(results: readonly CaseResult[]): readonly Figure[]
}

/** Opens one shell of a contender, runs `rounds` with it, and closes it. */
export async function* withShell(
  contender: Contender,
  rounds: (shell: Shell) => AsyncGenerator<Samples, void, undefined>,
): AsyncGenerator<Samples, void, undefined> {
  const source = await contender.start()
  const shell = await source.open()
  try {
    yield* rounds(shell)
  } finally {
    await shell.close()
    await source.close()
  }
}

/** Runs a command and compares its output with what is expected. @throws {Error} on a wrong answer */
export async function expectAnswer(shell: Shell, command: string, expected: string | RegExp): Promise<void> {
  const { exitCode, stdout } = await shell.execute(command)
  const right = typeof expected === 'string' ? stdout === expected : expected.test(stdout)
  if (exitCode !== 0 || !right) throw wrongAnswer(command, exitCode, stdout)
}

/** The error for a wrong answer. */
export function wrongAnswer(command: string, exitCode: number, stdout: string): Error {
  const shown = JSON.stringify(stdout.length > 60 ? `${stdout.slice(0, 60)}…` : stdout)
  return new Error(`wrong answer to ${JSON.stringify(command)}: exit code ${exitCode}, ${shown}`)
}

/** Opens a shell, runs one command, and closes the shell. */
export async function openAnswerClose(source: ShellSource): Promise<void> {
  const shell = await source.open()
  await expectAnswer(shell, 'echo a', 'a\n')
  await shell.close()
}
