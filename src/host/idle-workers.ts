import { outsideRequests } from './outside-requests.ts'
import type { WorkerSlot } from './worker-slot.ts'

/** Keeps a bounded number of free workers for a bounded time; the others are retired. */
export class IdleWorkers {
  readonly #most: number
  readonly #milliseconds: number
  readonly #timers = new Map<WorkerSlot, NodeJS.Timeout>()

  constructor(most: number, seconds: number) {
    this.#most = most
    this.#milliseconds = seconds * 1000
  }

  /** A lease is over and its worker is free. */
  rest(slot: WorkerSlot): void {
    this.#forgetBusy()
    slot.release()
    if (this.#timers.size >= this.#most) {
      slot.retire()
      return
    }
    const timer = outsideRequests(() => setTimeout(() => this.#expire(slot), this.#milliseconds))
    this.#timers.set(slot, timer.unref())
  }

  /** Lets go of every timer. */
  clear(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer)
    this.#timers.clear()
  }

  #expire(slot: WorkerSlot): void {
    this.#timers.delete(slot)
    if (slot.state === 'free') slot.retire()
  }

  #forgetBusy(): void {
    for (const [slot, timer] of this.#timers) {
      if (slot.state === 'free') continue
      clearTimeout(timer)
      this.#timers.delete(slot)
    }
  }
}
