import type { Contender, ContenderName, Shell, ShellSource } from './contenders/contender.ts'
import type { Figure } from './figure.ts'
import type { CaseResult } from './results.ts'

/** What a round of one contender gave, by case: samples, or why there are none. */
export type Samples = Readonly<Record<string, readonly number[] | string>>

/** The same work for every contender, in one file. */
export interface Scenario {
  readonly name: string
  /** A heading. */
  readonly title: string
  /** What it does, in one sentence. */
  readonly does: string
  /** What a reader of its figures has to know besides. */
  readonly note?: string
  /** Of every sample. Of `commands/s` more is better, of the others less. */
  readonly unit: 'ms' | 'MiB' | 'commands/s'
  /** Names of what is measured, in order. */
  readonly cases: readonly string[]
  /** Where the cases are the steps of a line, what their names count. */
  readonly steps?: string
  /** Contenders that are not asked, and why. */
  readonly cannot?: Readonly<Partial<Record<ContenderName, string>>>
  /** Rounds of a full run; the contenders take turns in each. */
  readonly rounds: number
  /** Each round of a contender has a process of its own, and no other contender's is alive. */
  readonly alone?: boolean
  /** Runs in a contender's own process: every step is a round. `effort` scales its length: 1 in a full run. */
  measure(contender: Contender, effort: number): AsyncGenerator<Samples, void, undefined>
  /** What ours is held to, from the results. */
  targets?(results: readonly CaseResult[]): readonly Figure[]
}

/** Opens one shell of a contender for as long as `rounds` goes on. */
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

/** Runs a command and holds its answer against what is expected. @throws {Error} on a wrong answer */
export async function expectAnswer(shell: Shell, command: string, expected: string | RegExp): Promise<void> {
  const { exitCode, stdout } = await shell.execute(command)
  const right = typeof expected === 'string' ? stdout === expected : expected.test(stdout)
  if (exitCode !== 0 || !right) throw wrongAnswer(command, exitCode, stdout)
}

/** An error that shows a wrong answer. */
export function wrongAnswer(command: string, exitCode: number, stdout: string): Error {
  const shown = JSON.stringify(stdout.length > 60 ? `${stdout.slice(0, 60)}…` : stdout)
  return new Error(`wrong answer to ${JSON.stringify(command)}: exit code ${exitCode}, ${shown}`)
}

/** Opens a shell, has it answer, and closes it. */
export async function openAnswerClose(source: ShellSource): Promise<void> {
  const shell = await source.open()
  await expectAnswer(shell, 'echo a', 'a\n')
  await shell.close()
}
