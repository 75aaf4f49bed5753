import { interruptible } from '../../async/interruptible.ts'
import type { HostedSandbox } from '../../hosted-sandbox/hosted-sandbox.ts'
import { errorMessage } from '../../sandbox/kinds.ts'
import { shellQuote } from '../../sandbox/quoting.ts'
import { quote } from '../../sandbox/show-value.ts'
import { EXIT } from '../exit-codes.ts'
import { CliError, PROGRAM } from '../failure.ts'
import type { RenamingStore } from './renaming-store.ts'
import type { SessionDirectory } from './session-store.ts'

/** Seconds that a command has to end, and its session to be stored, where a signal stops the program. */
const grace = 10

/** What a session is kept with. */
export interface KeptSessionParts {
  readonly name: string
  /** Its host stores it. */
  readonly sandbox: HostedSandbox
  /** Where its host stores it. */
  readonly store: RenamingStore
  readonly directory: SessionDirectory
  /** Takes a line for standard error. */
  readonly warn: (line: string) => void
}

/** The session of a sandbox that its host stores after each command. */
export class KeptSession {
  readonly sandbox: HostedSandbox
  readonly #parts: KeptSessionParts
  #storing: Promise<void> = Promise.resolve()
  /** Whether the store has all that the commands did which have begun. */
  #isStored = false
  #failure: unknown

  constructor(parts: KeptSessionParts) {
    this.#parts = parts
    this.sandbox = parts.sandbox
  }

  /** A command is about to run: waits until those before it are stored. */
  async begins(): Promise<void> {
    await this.#storing
    this.#isStored = false
  }

  /** A command has ended: its session is stored meanwhile. Where that fails, a warning says so, and the next one tries again. */
  ended(): void {
    this.#storing = this.#store()
  }

  /**
   * Stores what is not stored. A session that was lost is in the store as it was before.
   *
   * @param isHurried - whether a command that runs on is not waited for.
   * @throws CliError where it could not be stored under its name
   */
  async end({ isHurried }: { readonly isHurried: boolean }): Promise<void> {
    await this.#storing
    if (!this.#isStored && this.sandbox.status === 'open') await this.#store(isHurried ? grace : undefined)
    await this.#collect()
    const { name, store } = this.#parts
    const session = `the session ${quote(name)} was not stored`
    if (!this.#isStored && this.#failure !== undefined)
      throw new CliError(`${session}: ${errorMessage(this.#failure)}`, EXIT.runtime, { cause: this.#failure })
    if (store.name === name) return
    throw new CliError(
      `${session}, because another process has stored one under this name since. This one is stored as ${quote(store.name)}: ${PROGRAM} repl --session ${shellQuote(store.name)}.`,
      EXIT.runtime,
    )
  }

  async #store(seconds?: number): Promise<void> {
    try {
      const late = () => new Error(`a command has not ended within ${grace} s, and what it did is lost.`)
      await interruptible(this.sandbox.checkpoint(), { seconds, onTimeout: late })
      this.#isStored = true
      this.#failure = undefined
    } catch (error) {
      // A session that was lost has nothing to store: its next command says so.
      if (this.sandbox.status !== 'open') return
      if (this.#failure === undefined)
        this.#parts.warn(`the session could not be stored: ${errorMessage(error)}`)
      this.#failure = error
    }
  }

  /** Removes files that no session has had for an hour. */
  async #collect(): Promise<void> {
    const { directory, warn } = this.#parts
    await directory.store.collect().catch((error: unknown) => warn(errorMessage(error)))
  }
}
