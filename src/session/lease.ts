import type { MessagePort } from 'node:worker_threads'
import { interruptible } from '../async/interruptible.ts'
import type { LossCode, LossData } from '../contract/errors.ts'
import type { ConflictData } from '../contract/shell-api.ts'
import type { Place } from '../places/place.ts'
import { SandboxClosedError, type WorkerLostError } from '../sandbox/errors.ts'
import { lossError } from '../sandbox/loss-error.ts'
import type { BlockingOperation, Operation } from './operations.ts'
import { type CallLimits, SupervisedRemote } from './supervised-remote.ts'

/** What a lease has to know of its sandbox. */
export interface LeaseOptions {
  readonly maxPending: number
  readonly onInterrupt: 'keep' | 'reset'
  /** Told once, when the session is lost. */
  readonly onLost: (loss: LossData) => void
  /** Told of the conflicts that a call met, before the call settles. Must not throw. */
  readonly onConflicts: (conflicts: readonly ConflictData[]) => void
}

/** Seconds a worker has to answer that a shell was given up. */
const closeAllowance = 5

/** Losses of a session that say nothing against its worker. */
const ofShellAlone: ReadonlySet<LossCode> = new Set(['ENGINE_PANIC', 'DEADLINE_IGNORED', 'RESET'])

/**
 * The exclusive right of one sandbox to its shell, from open to close. It knows nothing of the sandbox, so
 * that a dropped sandbox can be collected while its lease is alive.
 */
export class Lease {
  readonly #place: Place
  readonly #remote: SupervisedRemote
  readonly #gone: Promise<false>
  #loss: LossData | undefined
  #reported = false
  #closed = false

  constructor(place: Place, options: LeaseOptions) {
    this.#place = place
    this.#remote = new SupervisedRemote(place.port, {
      ...options,
      commandTimeout: place.timeout,
      allowance: place.allowance,
      turns: place.turns,
      onLost: (loss, reported) => {
        this.#lost(loss, reported)
        options.onLost(loss)
      },
      onPortClosed: () => place.giveUp({ suspect: true }),
    })
    this.#gone = new Promise((resolve) => {
      place.onLost((loss) => {
        this.#remote.lose(loss)
        resolve(false)
      })
    })
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

  /** Makes a call on the shell. */
  call<T>(operation: Operation<T>, limits?: CallLimits): Promise<T> {
    return this.#remote.call(operation, limits)
  }

  /** Makes a call on the shell, and stands still until it is answered. */
  block<T>(operation: BlockingOperation<T>, limits?: CallLimits): T {
    return this.#remote.block(operation, limits)
  }

  /** Gives the shell back: pending calls reject with `CLOSED`, the worker is reused where it is free. */
  async close(): Promise<void> {
    if (!this.#end()) return
    const answer = Promise.race([this.#remote.release(), this.#gone])
    const free = await interruptible(answer, {
      seconds: closeAllowance,
      onTimeout: () => new Error('The worker did not answer.'),
      onAbort: () => new Error('Closing is never aborted.'),
    }).catch(() => undefined)
    closePort(this.#place.port)
    if (free === true) this.#place.release()
    else this.#place.giveUp({ suspect: free === undefined })
  }

  /** Gives the worker up: the sandbox was collected, and nobody waits for anything. */
  abandon(): void {
    if (!this.#end()) return
    closePort(this.#place.port)
    this.#place.giveUp()
  }

  #end(): boolean {
    if (this.#closed || this.#loss !== undefined) return false
    this.#closed = true
    this.#remote.end(() => new SandboxClosedError('The sandbox was closed.'))
    return true
  }

  #lost(loss: LossData, reported: boolean): void {
    this.#loss = loss
    this.#reported = reported
    closePort(this.#place.port)
    this.#place.giveUp({ suspect: !ofShellAlone.has(loss.code) })
  }
}

/**
 * Comlink holds on to a port for as long as its proxies live, and the port's listeners hold on to them: without its
 * listeners all of it can be collected.
 */
function closePort(port: MessagePort): void {
  port.close()
  port.removeAllListeners()
}
