import { defaultHost } from '../host/default-host.ts'
import type { Isolation } from '../host/options.ts'
import { outsideRequests } from '../host/outside-requests.ts'
import type { PlaceSource } from '../host/place-source.ts'
import { SandboxClosedError, SandboxTimeoutError } from '../sandbox/errors.ts'
import { interruptible } from '../sandbox/interruptible.ts'
import { resolveCredentials } from './config/credentials.ts'
import type { ResolvedConfig } from './config/resolve.ts'
import { Lease } from './lease.ts'
import { lossError } from './loss-error.ts'
import type { Operation } from './operations.ts'
import type { SandboxEvents } from './sandbox-events.ts'
import type { SandboxStatus } from './status.ts'
import { aborted, type CallLimits } from './supervised-remote.ts'

/**
 * The sessions of one sandbox, one after another: opens a lease when a call needs one, tells once that one
 * was lost, and opens the next. It knows nothing of the sandbox, so that it can outlive it and clean up.
 */
export class Session {
  readonly #config: ResolvedConfig
  readonly #host: PlaceSource | undefined
  /** Weak, because a listener may hold the sandbox. */
  readonly #events: WeakRef<SandboxEvents>
  readonly #abortOpening = new AbortController()
  #lease: Lease | undefined
  #opening: Promise<Lease> | undefined
  /** Callers that wait for the opening; a later caller must not overtake them. */
  #waiting = 0
  #endedSessions = 0
  #closing: Promise<void> | undefined

  constructor(config: ResolvedConfig, host: PlaceSource | undefined, events: SandboxEvents) {
    this.#config = config
    this.#host = host
    this.#events = new WeakRef(events)
  }

  /** What the sandbox has for itself. */
  get isolation(): Isolation {
    return this.#config.isolation ?? (this.#host ?? defaultHost()).isolation
  }

  get status(): SandboxStatus {
    if (this.#closing !== undefined) return 'closed'
    if (this.#opening !== undefined) return 'opening'
    if (this.#lease === undefined) return 'new'
    return this.#lease.loss === undefined ? 'open' : 'lost'
  }

  /** The number of the session that the next call runs in, from 1. */
  get generation(): number {
    return 1 + this.#endedSessions + (this.#lease?.loss === undefined ? 0 : 1)
  }

  /** Opens a session if there is none. */
  async open(limits?: CallLimits): Promise<void> {
    if (this.#ready() === undefined) await this.#acquire(limits)
  }

  /** Makes a call, in the session there is or in one that it opens. */
  async call<T>(operation: Operation<T>, limits: CallLimits = {}): Promise<T> {
    const ready = this.#ready()
    if (ready !== undefined) return ready.call(operation, limits)
    const start = performance.now()
    const lease = await this.#acquire(limits)
    return lease.call(operation, remaining(limits, start))
  }

  /** Ends the session for good. Idempotent; pending calls reject with `CLOSED`. */
  close(): Promise<void> {
    this.#closing ??= outsideRequests(() => {
      this.#abortOpening.abort()
      return this.#lease?.close() ?? Promise.resolve()
    })
    return this.#closing
  }

  /** Ends the session without waiting: nobody holds its sandbox any more. */
  abandon(): void {
    this.#closing ??= Promise.resolve()
    this.#abortOpening.abort()
    this.#lease?.abandon()
  }

  #ready(): Lease | undefined {
    if (this.#closing !== undefined || this.#waiting > 0) return undefined
    return this.#lease?.loss === undefined ? this.#lease : undefined
  }

  async #acquire(limits: CallLimits = {}): Promise<Lease> {
    if (this.#closing !== undefined) throw closed()
    const { signal } = limits
    if (signal?.aborted) throw aborted(signal)
    this.#refuseLost()
    const opening = this.#opening ?? this.#liveLease() ?? this.#startOpening()
    this.#waiting += 1
    try {
      return await interruptible(opening, {
        seconds: limits.timeout,
        signal,
        onTimeout: timedOut,
        onAbort: () => aborted(signal),
      })
    } finally {
      this.#waiting -= 1
    }
  }

  /** The lease there is, for callers that queue behind others. */
  #liveLease(): Promise<Lease> | undefined {
    return this.#lease?.loss === undefined ? this.#lease && Promise.resolve(this.#lease) : undefined
  }

  #refuseLost(): void {
    const loss = this.#lease?.loss
    if (loss === undefined) return
    const unreported = this.#lease?.takeUnreportedLoss()
    if (unreported !== undefined) throw unreported
    if (this.#config.onLost === 'fail') throw lossError(loss)
  }

  #startOpening(): Promise<Lease> {
    const opening = outsideRequests(() => this.#openLease())
    this.#opening = opening
    const over = () => {
      if (this.#opening === opening) this.#opening = undefined
    }
    outsideRequests(() => opening.then(over, over))
    return opening
  }

  async #openLease(): Promise<Lease> {
    const { record } = this.#config
    const credentials = resolveCredentials(record.credentials)
    const host = this.#host ?? defaultHost()
    const place = await host.place({
      record: { ...record, credentials },
      isolation: this.#config.isolation,
      signal: this.#abortOpening.signal,
    })
    if (this.#closing !== undefined) {
      place.port.close()
      place.giveUp()
      throw closed()
    }
    if (this.#lease !== undefined) this.#endedSessions += 1
    this.#lease = new Lease(place, {
      ...this.#config,
      onConflicts: (conflicts) => this.#events.deref()?.emitConflicts(conflicts),
    })
    return this.#lease
  }
}

function remaining(limits: CallLimits, start: number): CallLimits {
  if (limits.timeout === undefined) return limits
  return { ...limits, timeout: Math.max(0, limits.timeout - (performance.now() - start) / 1000) }
}

function closed(): SandboxClosedError {
  return new SandboxClosedError('This sandbox is closed. Open a new one.')
}

function timedOut(): SandboxTimeoutError {
  return new SandboxTimeoutError("The call's timeout passed while its sandbox opened.")
}
