import type { Ticket } from '../places/ticket.ts'
import { SandboxClosedError } from '../sandbox/errors.ts'

/** What bounds admission: counts. */
export interface AdmissionLimits {
  readonly maxSandboxes: number
  readonly maxQueued: number
}

/** How many sandboxes one kind of places has room for, and how many are in. */
export interface Quota {
  readonly most: number
  taken: number
}

interface Waiter {
  readonly room: Quota
  readonly admit: () => void
  readonly refuse: (error: Error) => void
}

/**
 * Lets a bounded number of sandboxes in, and into each room as many as it has room for; the rest wait in a bounded
 * queue, first come, first served.
 */
export class Admission {
  readonly #limits: AdmissionLimits
  readonly #refusal: () => Error
  readonly #queue = new Set<Waiter>()
  #admitted = 0

  /** @param refusal - what a caller gets where the queue is full. */
  constructor(limits: AdmissionLimits, refusal: () => Error) {
    this.#limits = limits
    this.#refusal = refusal
  }

  /** Sandboxes that are in. */
  get admitted(): number {
    return this.#admitted
  }

  /** Sandboxes that wait. */
  get queued(): number {
    return this.#queue.size
  }

  /** How many may enter a room without waiting. */
  free({ most, taken }: Quota): number {
    return Math.min(this.#limits.maxSandboxes - this.#admitted, most - taken)
  }

  /**
   * Waits for a place; an abandoned ticket leaves the queue.
   *
   * @returns how to leave again; further calls of it do nothing
   * @throws the refusal when the queue is full
   * @throws {SandboxClosedError} when the ticket was abandoned
   */
  async enter(ticket: Ticket, room: Quota): Promise<() => void> {
    if (this.free(room) > 0) this.#take(room)
    else await this.#wait(ticket, room)
    let left = false
    return () => {
      if (left) return
      left = true
      this.#leave(room)
    }
  }

  /** Nobody gets in any more: everybody who waits is refused. */
  close(makeError: () => Error): void {
    for (const { refuse } of this.#queue) refuse(makeError())
    this.#queue.clear()
  }

  #take(room: Quota): void {
    this.#admitted += 1
    room.taken += 1
  }

  #wait(ticket: Ticket, room: Quota): Promise<void> {
    if (this.#queue.size >= this.#limits.maxQueued) throw this.#refusal()
    return new Promise((resolve, reject) => {
      const waiter: Waiter = { room, admit: resolve, refuse: reject }
      this.#queue.add(waiter)
      ticket.onAbandon(() => {
        if (this.#queue.delete(waiter))
          reject(new SandboxClosedError('The opening of this sandbox was given up.'))
      })
    })
  }

  #leave(room: Quota): void {
    this.#admitted -= 1
    room.taken -= 1
    for (const waiter of this.#queue) {
      if (this.#admitted >= this.#limits.maxSandboxes) return
      if (this.free(waiter.room) <= 0) continue
      this.#queue.delete(waiter)
      this.#take(waiter.room)
      waiter.admit()
    }
  }
}
