import { outsideRequests } from '../../async/outside-requests.ts'
import type { WorkerHandle } from './worker-handle.ts'

/** What of a worker is looked at here. */
export type RestingWorker = Pick<WorkerHandle, 'state' | 'leases' | 'retire'>

/** Keeps a bounded number of workers without a lease for a bounded time; the others are retired. */
export class IdleWorkers {
  readonly #least: number
  readonly #most: number
  readonly #milliseconds: number
  readonly #timers = new Map<RestingWorker, NodeJS.Timeout>()

  /** @param least - so many are kept however long they rest, and however few `most` are. */
  constructor({ least, most }: { readonly least: number; readonly most: number }, seconds: number) {
    this.#least = least
    this.#most = Math.max(least, most)
    this.#milliseconds = seconds * 1000
  }

  /** A lease is over; its worker rests if it has no other. */
  rest(slot: RestingWorker): void {
    if (slot.state !== 'live' || slot.leases > 0) return
    this.#forget(slot)
    this.#forgetBusy()
    if (this.#timers.size >= this.#most) {
      slot.retire()
      return
    }
    this.#timers.set(slot, expireLater(this, slot, this.#milliseconds))
  }

  /** Retires idle workers, those that rest longest first, until at most so many are left. */
  trim(most: number): void {
    this.#forgetBusy()
    for (const slot of [...this.#timers.keys()].slice(0, Math.max(0, this.#timers.size - most))) {
      this.#forget(slot)
      slot.retire()
    }
  }

  /** Lets go of every timer. */
  clear(): void {
    for (const slot of [...this.#timers.keys()]) this.#forget(slot)
  }

  /** A worker has rested for long enough. */
  expire(slot: RestingWorker): void {
    this.#timers.delete(slot)
    this.#forgetBusy()
    if (slot.leases > 0) return
    if (this.#timers.size < this.#least) this.#timers.set(slot, expireLater(this, slot, this.#milliseconds))
    else slot.retire()
  }

  #forget(slot: RestingWorker): void {
    clearTimeout(this.#timers.get(slot))
    this.#timers.delete(slot)
  }

  #forgetBusy(): void {
    for (const slot of [...this.#timers.keys()]) {
      if (slot.state !== 'live' || slot.leases > 0) this.#forget(slot)
    }
  }
}

function expireLater(idle: IdleWorkers, slot: RestingWorker, milliseconds: number): NodeJS.Timeout {
  return outsideRequests(() => setTimeout(() => idle.expire(slot), milliseconds)).unref()
}
