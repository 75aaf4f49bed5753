import { SandboxClosedError } from '../sandbox/errors.ts'
import type { Ticket } from './ticket.ts'

/** What bounds admission: counts. */
export interface AdmissionLimits {
  readonly maxSandboxes: number
  readonly maxQueued: number
}

interface Waiter {
  readonly admit: () => void
  readonly refuse: (error: Error) => void
}

/** Lets a bounded number of sandboxes in; the rest wait in a bounded queue, first come, first served. */
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

  /** How many may be in without anybody waiting. */
  get free(): number {
    return this.#queue.size > 0 ? 0 : this.#limits.maxSandboxes - this.#admitted
  }

  /** True where {@link enter} would wait. */
  get full(): boolean {
    return this.free <= 0
  }

  /**
   * Waits for a place; an abandoned ticket leaves the queue.
   *
   * @returns how to leave again; further calls of it do nothing
   * @throws the refusal when the queue is full
   * @throws {SandboxClosedError} when the ticket was abandoned
   */
  async enter(ticket: Ticket): Promise<() => void> {
    if (this.full) await this.#wait(ticket)
    else this.#admitted += 1
    let left = false
    return () => {
      if (left) return
      left = true
      this.#leave()
    }
  }

  /** Nobody gets in any more: everybody who waits is refused. */
  close(makeError: () => Error): void {
    for (const { refuse } of this.#queue) refuse(makeError())
    this.#queue.clear()
  }

  #wait(ticket: Ticket): Promise<void> {
    if (this.#queue.size >= this.#limits.maxQueued) throw this.#refusal()
    return new Promise((resolve, reject) => {
      const waiter: Waiter = { admit: resolve, refuse: reject }
      this.#queue.add(waiter)
      ticket.onAbandon(() => {
        if (this.#queue.delete(waiter))
          reject(new SandboxClosedError('The opening of this sandbox was given up.'))
      })
    })
  }

  #leave(): void {
    const [next] = this.#queue
    if (next === undefined) {
      this.#admitted -= 1
      return
    }
    this.#queue.delete(next)
    next.admit()
  }
}
