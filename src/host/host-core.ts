import { HostSaturatedError, SandboxClosedError } from '../sandbox/errors.ts'
import { type Interruption, interruptible } from '../sandbox/interruptible.ts'
import { Admission } from './admission.ts'
import type { AvailableIsolation, Isolation, ResolvedHostOptions } from './options.ts'
import type { Place } from './place.ts'
import type { PlaceRequest, PlaceSource } from './place-source.ts'
import { refuseIsolation } from './resolve-options.ts'
import { Ticket } from './ticket.ts'
import { WorkerLeases } from './worker-leases.ts'
import type { WorkerSlot } from './worker-slot.ts'

/** How many worker threads a host has, and what they do. */
export interface HostStats {
  /** Threads that have not ended. */
  readonly workers: number
  /** Sandboxes with a session, those that open included. */
  readonly leased: number
  /** Workers kept for the next sandbox. */
  readonly idle: number
  /** Given-up sessions whose native call still runs. */
  readonly lingering: number
}

/** A host without the sandboxes: who gets which place, when, and for how long. */
export class HostCore implements PlaceSource {
  readonly options: ResolvedHostOptions
  readonly #admission: Admission
  readonly #levels = new Map<AvailableIsolation, WorkerLeases>()
  readonly #closed = new AbortController()
  #closing: Promise<void> | undefined

  constructor(options: ResolvedHostOptions) {
    this.options = options
    this.#admission = new Admission(options)
  }

  get isolation(): Isolation {
    return this.options.isolation
  }

  /** Figures of this moment. */
  stats(): HostStats {
    const slots = this.#slots()
    return {
      workers: slots.length,
      leased: sum(slots, (slot) => slot.leases),
      idle: slots.filter((slot) => slot.state === 'live' && slot.leases === 0).length,
      lingering: this.#lingering(),
    }
  }

  async place(request: PlaceRequest): Promise<Place> {
    this.#refuse()
    const ticket = new Ticket()
    const opening = this.#open(request, ticket)
    try {
      return await this.#untilClosed(opening, {
        seconds: this.options.openTimeout,
        signal: request.signal,
        onTimeout: () => this.#tooLate(),
        onAbort: () => new SandboxClosedError('The sandbox was closed while it opened.'),
      })
    } catch (error) {
      ticket.abandon()
      throw error
    }
  }

  /** Ends every worker as {@link WorkerLeases.close} does. Idempotent. */
  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #open({ record, isolation }: PlaceRequest, ticket: Ticket): Promise<Place> {
    const leases = this.#leases(isolation ?? this.options.isolation)
    const leave = await this.#admission.enter(ticket)
    ticket.onAbandon(leave)
    try {
      return leaving(await leases.open(record, ticket), leave)
    } catch (error) {
      leave()
      throw error
    }
  }

  #leases(isolation: Isolation): WorkerLeases {
    if (isolation === 'process') throw refuseIsolation(isolation)
    const known = this.#levels.get(isolation)
    if (known !== undefined) return known
    const { maxSandboxes, maxRetired, maxIdleWorkers, idleWorkerTimeout, sandboxesPerWorker, workerUrl } =
      this.options
    const leases = new WorkerLeases({
      capacity: isolation === 'shared' ? sandboxesPerWorker : 1,
      maxThreads: 2 * maxSandboxes + maxRetired,
      maxIdle: maxIdleWorkers,
      idleTimeout: idleWorkerTimeout,
      workerUrl,
    })
    this.#levels.set(isolation, leases)
    return leases
  }

  #refuse(): void {
    if (this.#closing !== undefined) throw hostClosed()
    const lingering = this.#lingering()
    const { maxRetired } = this.options
    if (lingering < maxRetired) return
    throw new HostSaturatedError(
      `${lingering} given-up sessions still run their last command (maxRetired: ${maxRetired}). Wait for them to end.`,
    )
  }

  #tooLate(): HostSaturatedError {
    const { openTimeout, maxSandboxes } = this.options
    const { admitted, queued } = this.#admission
    return new HostSaturatedError(
      `Opening a sandbox took longer than openTimeout (${openTimeout} s): ${admitted} sandboxes are open (maxSandboxes: ${maxSandboxes}), ${queued} wait.`,
    )
  }

  #untilClosed<T>(opening: Promise<T>, interruption: Interruption): Promise<T> {
    return interruptible(interruptible(opening, interruption), {
      signal: this.#closed.signal,
      onAbort: () => hostClosed(),
    })
  }

  #slots(): readonly WorkerSlot[] {
    return [...this.#levels.values()].flatMap((leases) => leases.slots)
  }

  #lingering(): number {
    return sum(this.#slots(), (slot) => slot.lingering)
  }

  async #close(): Promise<void> {
    this.#closed.abort()
    this.#admission.close(hostClosed)
    await Promise.all([...this.#levels.values()].map((leases) => leases.close()))
  }
}

function leaving(place: Place, leave: () => void): Place {
  return {
    ...place,
    release: () => {
      place.release()
      leave()
    },
    giveUp: (how) => {
      place.giveUp(how)
      leave()
    },
  }
}

function sum(slots: readonly WorkerSlot[], count: (slot: WorkerSlot) => number): number {
  return slots.reduce((total, slot) => total + count(slot), 0)
}

function hostClosed(): SandboxClosedError {
  return new SandboxClosedError('The host of this sandbox is closed.')
}
