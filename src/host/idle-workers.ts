import { outsideRequests } from './outside-requests.ts'
import type { WorkerSlot } from './worker-slot.ts'

/** Keeps a bounded number of workers without a lease for a bounded time; the others are retired. */
export class IdleWorkers {
  readonly #most: number
  readonly #milliseconds: number
  readonly #timers = new Map<WorkerSlot, NodeJS.Timeout>()

  constructor(most: number, seconds: number) {
    this.#most = most
    this.#milliseconds = seconds * 1000
  }

  /** A lease is over; its worker rests if it has no other. */
  rest(slot: WorkerSlot): void {
    if (slot.state !== 'live' || slot.leases > 0) return
    this.#forget(slot)
    this.#forgetBusy()
    if (this.#timers.size >= this.#most) {
      slot.retire()
      return
    }
    this.#timers.set(slot, expireLater(this, slot, this.#milliseconds))
  }

  /** Lets go of every timer. */
  clear(): void {
    for (const slot of [...this.#timers.keys()]) this.#forget(slot)
  }

  /** A worker has rested for long enough. */
  expire(slot: WorkerSlot): void {
    this.#timers.delete(slot)
    if (slot.leases === 0) slot.retire()
  }

  #forget(slot: WorkerSlot): void {
    clearTimeout(this.#timers.get(slot))
    this.#timers.delete(slot)
  }

  #forgetBusy(): void {
    for (const slot of [...this.#timers.keys()]) {
      if (slot.state !== 'live' || slot.leases > 0) this.#forget(slot)
    }
  }
}

function expireLater(idle: IdleWorkers, slot: WorkerSlot, milliseconds: number): NodeJS.Timeout {
  return outsideRequests(() => setTimeout(() => idle.expire(slot), milliseconds)).unref()
}
