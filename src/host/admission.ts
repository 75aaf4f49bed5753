import type { OpenRequest } from '../places/open-request.ts'
import type { HostBound } from '../sandbox/errors.ts'

/** What bounds admission: counts. */
export interface AdmissionLimits {
  readonly maxSandboxes: number
  readonly maxQueued: number
}

/** How many sandboxes one isolation level may have, and how many it has. */
export interface Quota {
  readonly most: number
  taken: number
}

interface Waiter {
  readonly quota: Quota
  readonly admit: () => void
  readonly refuse: (error: unknown) => void
}

/**
 * Admits a bounded number of sandboxes, and of each isolation level as many as its quota has. The others wait in a
 * bounded queue, first come, first served.
 */
export class Admission {
  readonly #limits: AdmissionLimits
  readonly #refusal: (quota: Quota) => Error
  readonly #queue = new Set<Waiter>()
  #admitted = 0

  /** @param refusal - makes the error where the queue is full. */
  constructor(limits: AdmissionLimits, refusal: (quota: Quota) => Error) {
    this.#limits = limits
    this.#refusal = refusal
  }

  /** Sandboxes that are admitted. */
  get admitted(): number {
    return this.#admitted
  }

  /** Sandboxes that wait. */
  get queued(): number {
    return this.#queue.size
  }

  /** How many may enter a quota without waiting. */
  free({ most, taken }: Quota): number {
    return Math.min(this.#limits.maxSandboxes - this.#admitted, most - taken)
  }

  /** True where there is no place, and none to wait for one either. */
  refuses(quota: Quota): boolean {
    return this.free(quota) <= 0 && this.#queue.size >= this.#limits.maxQueued
  }

  /** The bounds that let nobody else enter a quota without waiting. */
  reached({ most, taken }: Quota): readonly HostBound[] {
    if (this.#admitted >= this.#limits.maxSandboxes) return ['maxSandboxes']
    return taken >= most ? ['maxCells', 'sandboxesPerCell'] : []
  }

  /**
   * Waits for a place; a request that is cancelled is taken out of the queue.
   *
   * @returns what gives the place back; further calls of it do nothing
   * @throws the refusal when the queue is full
   * @throws the reason of the request's signal when it fires
   */
  async enter(request: OpenRequest, quota: Quota): Promise<() => void> {
    if (this.free(quota) > 0) this.#take(quota)
    else await this.#wait(request, quota)
    let released = false
    return () => {
      if (released) return
      released = true
      this.#release(quota)
    }
  }

  /** Refuses everyone who waits. */
  close(makeError: () => Error): void {
    for (const { refuse } of this.#queue) refuse(makeError())
    this.#queue.clear()
  }

  #take(quota: Quota): void {
    this.#admitted += 1
    quota.taken += 1
  }

  #wait(request: OpenRequest, quota: Quota): Promise<void> {
    if (this.refuses(quota)) throw this.#refusal(quota)
    return new Promise((resolve, reject) => {
      const waiter: Waiter = { quota, admit: resolve, refuse: reject }
      this.#queue.add(waiter)
      request.onCancel(() => {
        if (this.#queue.delete(waiter)) reject(request.signal.reason)
      })
    })
  }

  #release(quota: Quota): void {
    this.#admitted -= 1
    quota.taken -= 1
    for (const waiter of this.#queue) {
      if (this.#admitted >= this.#limits.maxSandboxes) return
      if (this.free(waiter.quota) <= 0) continue
      this.#queue.delete(waiter)
      this.#take(waiter.quota)
      waiter.admit()
    }
  }
}
