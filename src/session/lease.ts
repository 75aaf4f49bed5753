import type { InCaller } from '../async/caller-context.ts'
import { interruptible } from '../async/interruptible.ts'
import type { EngineCapabilities } from '../contract/capabilities.ts'
import type { CheckpointPart } from '../contract/checkpoint.ts'
import type { LossCode, LossData } from '../contract/errors.ts'
import type { CellMemory, Place, Retirement } from '../places/place.ts'
import { SandboxClosedError, type WorkerLostError } from '../sandbox/errors.ts'
import { lossError } from '../sandbox/loss-error.ts'
import { BlockingRemote } from './blocking-remote.ts'
import { LeaseCalls } from './lease-calls.ts'
import { Remote } from './remote.ts'
import type { Supervision } from './supervision.ts'

/** What a lease has to know of its sandbox. */
export interface LeaseOptions
  extends Pick<
    Supervision,
    | 'maxPending'
    | 'onInterrupt'
    | 'commandLimiter'
    | 'onConflicts'
    | 'onEgress'
    | 'hostCommands'
    | 'onAnswered'
    | 'keepsCallers'
  > {
  /** Takes what a call has changed. False: it is not of the contract. */
  readonly onCheckpoint: (part: CheckpointPart | null) => boolean
  /** Told once, when the session is lost. */
  readonly onLost: (loss: LossData) => void
}

/** Seconds that a worker has to answer `close`. */
const closeAllowance = 5
/** The same, where the call that it runs is to stop: the worker is ended then. */
const stopAllowance = 2

/** Losses that concern the shell alone: its worker can be used again. */
const ofShellAlone: ReadonlySet<LossCode> = new Set(['ENGINE_PANIC', 'DEADLINE_IGNORED', 'RESET'])

/**
 * The exclusive right of one sandbox to its shell, from open to close. It holds no reference to the sandbox, so that a
 * dropped sandbox can be collected while its lease is alive.
 */
export class Lease {
  /** The shell, for callers that await. */
  readonly remote: Remote
  /** The shell, for callers whose thread blocks. */
  readonly blocking: BlockingRemote
  readonly #place: Place
  readonly #calls: LeaseCalls
  readonly #gone: Promise<false>
  /** True where a worker is ended with a call that does not stop. */
  readonly #endsStuck: boolean
  #loss: LossData | undefined
  #reported = false
  #closed = false

  constructor(place: Place, options: LeaseOptions) {
    this.#place = place
    const { terminable, interrupt, checkpoint } = place.capabilities
    this.#endsStuck = terminable && interrupt
    this.#calls = new LeaseCalls(place.endpoint, {
      ...options,
      commandTimeout: place.timeout,
      allowance: place.allowance,
      streaming: place.capabilities.streaming,
      interrupt: (call) => place.interrupt(call),
      endsStuck: this.#endsStuck,
      onCheckpoint: checkpoint ? options.onCheckpoint : undefined,
      onLost: (loss, reported) => {
        this.#lost(loss, reported)
        options.onLost(loss)
      },
      onClosed: () => place.retire({ suspect: true }),
    })
    this.remote = new Remote(this.#calls)
    this.blocking = new BlockingRemote(this.#calls)
    this.#gone = new Promise((resolve) => {
      place.onLost((loss) => {
        this.#calls.lose(loss)
        resolve(false)
      })
    })
  }

  /** What the engine of the shell can do. */
  get capabilities(): EngineCapabilities {
    return this.#place.capabilities
  }

  /** The cell that the shell is in. */
  get cell(): Place['cell'] {
    return this.#place.cell
  }

  /** What that cell holds in memory. */
  get memory(): CellMemory | undefined {
    return this.#place.memory?.()
  }

  /** What the proxy calls the lease alone. */
  get pass(): Place['pass'] {
    return this.#place.pass
  }

  /** True while a call runs. */
  get runs(): boolean {
    return this.#calls.inFlight.running !== undefined
  }

  /** The async context of the caller of the command that runs; undefined where nobody wants it, or it is not certain. */
  get inCaller(): InCaller | undefined {
    return this.#calls.inFlight.inCaller
  }

  /** Why the session was lost, if it was. */
  get loss(): LossData | undefined {
    return this.#loss
  }

  /** The loss as an error, the first time it is asked for where no call has reported it. */
  takeUnreportedLoss(): WorkerLostError | undefined {
    if (this.#loss === undefined || this.#reported) return undefined
    this.#reported = true
    return lossError(this.#loss)
  }

  /** Releases the shell: pending calls reject with `CLOSED`, the worker is reused where it is free. */
  async close(): Promise<void> {
    if (this.#end()) await this.#release()
  }

  /** Retires the place: the sandbox was collected, and no call is pending. */
  abandon(): void {
    if (!this.#end()) return
    if (this.#isRunning) void this.#release()
    else this.#retire()
  }

  /** True where a call was in flight when the session ended, and the engine can stop it. */
  get #isRunning(): boolean {
    return this.#endsStuck && this.#calls.left !== undefined
  }

  /** Gives the place back once the worker has closed the shell. One that does not stop is ended, so that its other leases go on. */
  async #release(): Promise<void> {
    const isRunning = this.#isRunning
    if (isRunning && this.#calls.left !== undefined) this.#place.interrupt(this.#calls.left)
    const answer = Promise.race([this.remote.release(), this.#gone])
    const free = await interruptible(answer, {
      seconds: isRunning ? stopAllowance : closeAllowance,
      onTimeout: () => new Error('The worker did not answer.'),
    }).catch(() => undefined) // A worker that does not answer is retired below.
    if (free === true) {
      this.#calls.connection.close()
      this.#place.release()
    } else this.#retire({ suspect: free === undefined, end: free === undefined && isRunning })
  }

  #retire(how?: Retirement): void {
    this.#calls.connection.close()
    this.#place.retire(how)
  }

  #end(): boolean {
    if (this.#closed || this.#loss !== undefined) return false
    this.#closed = true
    this.#calls.end(() => new SandboxClosedError('The sandbox was closed.'))
    return true
  }

  #lost(loss: LossData, reported: boolean): void {
    this.#loss = loss
    this.#reported = reported
    if (loss.code === 'RESET' && this.#isRunning) {
      void this.#release()
      return
    }
    const isStuck = loss.code === 'DEADLINE_IGNORED' && this.capabilities.terminable
    this.#retire({ suspect: !ofShellAlone.has(loss.code), end: isStuck })
  }
}
