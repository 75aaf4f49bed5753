import type { OpenRequest } from '../open-request.ts'
import type { CellPolicy } from './cell-network.ts'

/** An opening for which there is no cell yet. */
interface Waiter<Cell> {
  readonly policy: CellPolicy
  /** Opens at once, so that the cell counts the lease before the next one is placed. */
  readonly enter: (cell: Cell) => void
  readonly refuse: (reason: unknown) => void
}

/** The openings that wait for a cell, in the order in which they came. */
export class CellWaiters<Cell> {
  readonly #waiters = new Map<OpenRequest, Waiter<Cell>>()

  get size(): number {
    return this.#waiters.size
  }

  has(request: OpenRequest): boolean {
    return this.#waiters.has(request)
  }

  /**
   * Opens in the cell that {@link CellWaiters.serve} gives it.
   *
   * @throws the reason of the request's signal when it fires
   */
  wait<T>(policy: CellPolicy, request: OpenRequest, open: (cell: Cell) => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const waiter: Waiter<Cell> = { policy, enter: (cell) => resolve(open(cell)), refuse: reject }
      request.throwIfCancelled()
      this.#waiters.set(request, waiter)
      request.onCancel(() => {
        if (this.#waiters.delete(request)) reject(request.signal.reason)
      })
    })
  }

  /**
   * Gives cells to those that wait: first come, first served among those that may share one.
   *
   * @param cellFor - undefined where there is none yet. Where it throws, the opening that it was asked for is refused.
   */
  serve(cellFor: (policy: CellPolicy) => Cell | undefined): void {
    for (const [request, waiter] of this.#waiters) {
      try {
        const cell = cellFor(waiter.policy)
        if (cell === undefined) continue
        waiter.enter(cell)
      } catch (error) {
        waiter.refuse(error)
      }
      this.#waiters.delete(request)
    }
  }

  /** Refuses all that wait. */
  refuse(reason: Error): void {
    for (const waiter of this.#waiters.values()) waiter.refuse(reason)
    this.#waiters.clear()
  }
}
