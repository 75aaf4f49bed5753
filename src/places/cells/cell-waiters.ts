import type { OpenRequest } from '../open-request.ts'
import { sum } from '../sum.ts'
import type { CellDemand } from './cell-demand.ts'

/** An opening for which there is no cell yet. */
interface Waiter<Cell> {
  readonly demand: CellDemand
  /** Opens at once, so that the cell counts the lease before the next one is placed. */
  readonly enter: (cell: Cell) => void
  readonly refuse: (reason: unknown) => void
}

/** The openings that wait for a cell. */
export class CellWaiters<Cell> {
  /** By owner, in the order in which they came. */
  readonly #waiters = new Map<string, Map<OpenRequest, Waiter<Cell>>>()

  get size(): number {
    return sum([...this.#waiters.values()].map(({ size }) => size))
  }

  /** Those who have an opening that waits. */
  get owners(): Iterable<string> {
    return this.#waiters.keys()
  }

  has(request: OpenRequest): boolean {
    return this.#waiters.get(request.owner)?.has(request) ?? false
  }

  /**
   * Opens in the cell that {@link CellWaiters.serve} gives it.
   *
   * @throws the reason of the request's signal when it fires
   */
  wait<T>(demand: CellDemand, request: OpenRequest, open: (cell: Cell) => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const waiter: Waiter<Cell> = { demand, enter: (cell) => resolve(open(cell)), refuse: reject }
      request.throwIfCancelled()
      this.#add(request, waiter)
      request.onCancel(() => {
        if (this.#remove(request)) reject(request.signal.reason)
      })
    })
  }

  /**
   * Gives cells to those that wait: of owners to the one with the fewest cells, and of one owner first come, first served among those
   * that may share one.
   *
   * @param cellFor - undefined where there is none yet. Where it throws, the opening that it was asked for is refused.
   * @param cellsOf - how many cells an owner has.
   */
  serve(cellFor: (demand: CellDemand) => Cell | undefined, cellsOf: (owner: string) => number): void {
    let owners = [...this.#waiters.keys()]
    for (;;) {
      owners = owners.sort((a, b) => cellsOf(a) - cellsOf(b))
      const owner = owners.shift()
      if (owner === undefined) return
      const before = cellsOf(owner)
      for (const [request, waiter] of this.#waiters.get(owner) ?? []) {
        if (!give(waiter, cellFor)) continue
        this.#remove(request)
        if (owners.length === 0 || cellsOf(owner) === before) continue
        owners.push(owner)
        break
      }
    }
  }

  /** Refuses all that wait. */
  refuse(reason: Error): void {
    for (const waiters of this.#waiters.values()) for (const { refuse } of waiters.values()) refuse(reason)
    this.#waiters.clear()
  }

  #add(request: OpenRequest, waiter: Waiter<Cell>): void {
    const waiters = this.#waiters.get(request.owner) ?? new Map<OpenRequest, Waiter<Cell>>()
    waiters.set(request, waiter)
    this.#waiters.set(request.owner, waiters)
  }

  /** False: it did not wait. */
  #remove(request: OpenRequest): boolean {
    const waiters = this.#waiters.get(request.owner)
    const waited = waiters?.delete(request) ?? false
    if (waiters?.size === 0) this.#waiters.delete(request.owner)
    return waited
  }
}

/** Has an opening enter its cell, or refuses it. False: there is none yet. */
function give<Cell>(
  { demand, enter, refuse }: Waiter<Cell>,
  cellFor: (demand: CellDemand) => Cell | undefined,
): boolean {
  try {
    const cell = cellFor(demand)
    if (cell === undefined) return false
    enter(cell)
  } catch (error) {
    refuse(error)
  }
  return true
}
