import type { CommandOutput, ConflictData, Outcome } from '../../src/contract/shell-api.ts'

/** Milliseconds after which no further command of a batch begins: other calls can run, and the caller can cancel the rest. */
const patience = 250
/** Characters of output after which none does. */
const mostOutput = 8 * 1024 * 1024

/** Commands of one call, run one after another until one fails, all have run, or the batch has reached its bounds. */
export class CommandBatch {
  readonly #stopOnFailure: boolean
  readonly #isInterrupted: () => boolean
  readonly #now: () => number
  #stopped = false

  /**
   * @param isInterrupted - whether the caller has given the call up. {@link stop} says so as well, and later.
   * @param now - a clock, in milliseconds.
   */
  constructor(
    stopOnFailure: boolean,
    isInterrupted: () => boolean = () => false,
    now: () => number = () => performance.now(),
  ) {
    this.#stopOnFailure = stopOnFailure
    this.#isInterrupted = isInterrupted
    this.#now = now
  }

  /** No further command begins. */
  stop(): void {
    this.#stopped = true
  }

  async run(
    commands: readonly string[],
    run: (command: string) => Promise<Outcome<CommandOutput>>,
  ): Promise<Outcome<CommandOutput[]>> {
    const start = this.#now()
    const outputs: CommandOutput[] = []
    const conflicts: ConflictData[] = []
    let length = 0
    for (const command of commands) {
      const outcome = await run(command)
      conflicts.push(...(outcome.conflicts ?? []))
      if (!outcome.ok) return { ...outcome, conflicts }
      const { exitCode, stdout, stderr } = outcome.value
      outputs.push(outcome.value)
      length += stdout.length + stderr.length
      if (this.#stopped || this.#isInterrupted() || (this.#stopOnFailure && exitCode !== 0)) break
      if (length > mostOutput || this.#now() - start > patience) break
    }
    return { ok: true, value: outputs, conflicts }
  }
}
