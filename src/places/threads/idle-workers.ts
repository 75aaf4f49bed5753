import { clearTimeout, setTimeout } from '../../async/clock.ts'
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
  rest(worker: RestingWorker): void {
    if (worker.state !== 'live' || worker.leases > 0) return
    this.#forget(worker)
    this.#forgetBusy()
    if (this.#timers.size >= this.#most) {
      worker.retire()
      return
    }
    this.#timers.set(worker, expireLater(this, worker, this.#milliseconds))
  }

  /** Retires idle workers, those that rest longest first, until at most so many remain. */
  trim(most: number): void {
    this.#forgetBusy()
    for (const worker of [...this.#timers.keys()].slice(0, Math.max(0, this.#timers.size - most))) {
      this.#forget(worker)
      worker.retire()
    }
  }

  /** Lets go of every timer. */
  clear(): void {
    for (const worker of [...this.#timers.keys()]) this.#forget(worker)
  }

  /** A worker has rested for long enough. */
  expire(worker: RestingWorker): void {
    this.#timers.delete(worker)
    this.#forgetBusy()
    if (worker.leases > 0) return
    if (this.#timers.size < this.#least)
      this.#timers.set(worker, expireLater(this, worker, this.#milliseconds))
    else worker.retire()
  }

  #forget(worker: RestingWorker): void {
    clearTimeout(this.#timers.get(worker))
    this.#timers.delete(worker)
  }

  #forgetBusy(): void {
    for (const worker of [...this.#timers.keys()]) {
      if (worker.state !== 'live' || worker.leases > 0) this.#forget(worker)
    }
  }
}

function expireLater(idle: IdleWorkers, worker: RestingWorker, milliseconds: number): NodeJS.Timeout {
  return outsideRequests(() => setTimeout(() => idle.expire(worker), milliseconds)).unref()
}
