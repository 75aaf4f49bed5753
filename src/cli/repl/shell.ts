import { once } from 'node:events'
import type { HostedSandbox } from '../../hosted-sandbox/hosted-sandbox.ts'
import { MirrorError, SandboxAbortError } from '../../sandbox/errors.ts'
import type { ExecutionResult } from '../../sandbox/results.ts'
import { hintsFor } from '../../tools/shells/guide.ts'
import { SIGNAL_EXITS } from '../exit-codes.ts'
import { describeFailure, exitCodeOf } from '../failure.ts'
import { type Outputs, writeBoth } from '../output.ts'
import { dialects } from './dialect.ts'

/** What became of a text: it was run, or it is the beginning of a command. */
export type Outcome = 'ran' | 'unfinished'

/** Who keeps what the commands of a session do. */
export interface Keeper {
  /** A command is about to run. */
  begins(): Promise<void>
  /** A command has ended, and its session goes on. */
  ended(): void
}

/** How commands are run. */
export interface ReplShellOptions {
  /** Whether what a command prints ends with a line break, which a prompt needs. */
  readonly onTerminal: boolean
  readonly keeper?: Keeper | undefined
}

/** A session that commands are typed into. */
export class ReplShell {
  /** That of the last command. */
  exitCode = 0
  readonly #sandbox: HostedSandbox
  readonly #outputs: Outputs
  readonly #onTerminal: boolean
  readonly #keeper: Keeper | undefined
  #directory = ''
  #running: AbortController | undefined
  /** Settles when an interrupted command has ended; undefined where none runs. */
  #interrupted: Promise<void> | undefined
  /** The error that the session was lost with, until it is reported. */
  #loss: unknown

  constructor(sandbox: HostedSandbox, outputs: Outputs, { onTerminal, keeper }: ReplShellOptions) {
    this.#sandbox = sandbox
    this.#outputs = outputs
    this.#onTerminal = onTerminal
    this.#keeper = keeper
  }

  /** Whether a command after a loss has what the ones before the loss had. */
  get restores(): boolean {
    return this.#sandbox.summary.onLost === 'restore'
  }

  /** Whether the engine runs a command, one that was interrupted included. */
  get busy(): boolean {
    return this.#running !== undefined || this.#interrupted !== undefined
  }

  /** Interrupts the command under way; false where there is none. */
  interrupt(): boolean {
    this.#running?.abort()
    return this.#running !== undefined
  }

  /** Where the session is; while it is busy, or where it was lost, where it was last. */
  async directory(): Promise<string> {
    try {
      if (!this.busy) this.#directory = (await this.#sandbox.getEnv('PWD')) ?? ''
    } catch (error) {
      this.#loss = error
    }
    return this.#directory
  }

  /**
   * Runs a command and writes what it printed; waits for an interrupted one first. With `whole` the beginning of a
   * command is run, too, for the engine's complaint.
   *
   * @throws the error that the session was lost with, or another that ends it
   */
  async run(command: string, whole = false): Promise<Outcome> {
    const running = new AbortController()
    this.#running = running
    try {
      await this.#rest(running.signal)
      await this.#keeper?.begins()
      const result = await this.#sandbox.execute(command, { signal: running.signal })
      this.#keeper?.ended()
      if (!whole && dialects[this.#sandbox.shell].isBeginning(command, result)) return 'unfinished'
      this.exitCode = result.exitCode
      await this.#write(result)
    } catch (error) {
      await this.#failed(error)
    } finally {
      this.#running = undefined
    }
    return 'ran'
  }

  async #rest(signal: AbortSignal): Promise<void> {
    if (this.#interrupted !== undefined) {
      await this.#outputs.stderr.write('(waiting for the interrupted command to end)\n')
      await Promise.race([this.#interrupted, once(signal, 'abort')])
    }
    const loss = this.#loss
    this.#loss = undefined
    if (loss !== undefined) throw loss
  }

  async #failed(error: unknown): Promise<void> {
    if (error instanceof SandboxAbortError) {
      this.exitCode = SIGNAL_EXITS.SIGINT
      this.#interrupted ??= this.#waitForInterrupted()
      return
    }
    this.exitCode = exitCodeOf(error)
    if (!(error instanceof MirrorError)) throw error
    await this.#write(error)
    await this.#outputs.stderr.write(describeFailure(error))
  }

  async #write({ stdout, stderr }: Pick<ExecutionResult, 'stdout' | 'stderr'>): Promise<void> {
    const whole = (text: string) =>
      this.#onTerminal && text !== '' && !text.endsWith('\n') ? `${text}\n` : text
    await writeBoth({ stdout: whole(stdout), stderr: whole(stderr) }, this.#outputs)
    const hints = this.#onTerminal ? hintsFor(stderr, this.#sandbox.summary) : ''
    if (hints !== '') await this.#outputs.stderr.write(`${hints}\n`)
  }

  /** Waits until the interrupted command has ended: the session answers only then. */
  async #waitForInterrupted(): Promise<void> {
    try {
      await this.#sandbox.getEnv('PWD')
    } catch (error) {
      this.#loss = error
    }
    this.#interrupted = undefined
  }
}
