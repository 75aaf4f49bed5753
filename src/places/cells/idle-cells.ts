import { clearTimeout, setTimeout } from '../../async/clock.ts'
import { outsideRequests } from '../../async/outside-requests.ts'
import type { LossData } from '../../contract/errors.ts'

/** A cell as far as it matters whether it is idle. */
export interface IdleCell {
  readonly isReady: boolean
  readonly leases: number
  kill(loss: LossData): void
}

/** How idle cells are kept. */
export interface IdleCellsOptions<Cell> {
  /** All cells, the oldest first. */
  readonly cells: () => Iterable<Cell>
  /** Seconds after which an idle cell is ended. */
  readonly timeout: number
  /** Idle cells that stay for good. */
  readonly kept: number
}

/** Ends cells that have had no lease for some time. Its timers do not keep the process alive. */
export class IdleCells<Cell extends IdleCell> {
  readonly #options: IdleCellsOptions<Cell>
  readonly #timers = new Map<Cell, NodeJS.Timeout>()

  constructor(options: IdleCellsOptions<Cell>) {
    this.#options = options
  }

  /** Cells that are ready and have no lease, the oldest first. */
  list(): readonly Cell[] {
    return [...this.#options.cells()].filter(({ isReady, leases }) => isReady && leases === 0)
  }

  /** Begins to count the time of those that are idle and are not counted yet. */
  watch(): void {
    for (const cell of this.list()) {
      if (this.#timers.has(cell)) continue
      const timer = outsideRequests(() => setTimeout(() => this.#expired(cell), this.#options.timeout * 1000))
      this.#timers.set(cell, timer.unref())
    }
  }

  /** The cell is used, or has ended. */
  forget(cell: Cell): void {
    clearTimeout(this.#timers.get(cell))
    this.#timers.delete(cell)
  }

  /** Ends all but `kept` of them, the oldest first. */
  trim(kept: number): void {
    const idle = this.list()
    for (const cell of idle.slice(0, Math.max(0, idle.length - kept))) endIdle(cell)
  }

  #expired(cell: Cell): void {
    this.#timers.delete(cell)
    if (cell.leases > 0) return
    if (this.list().length > this.#options.kept) endIdle(cell)
    else this.watch()
  }
}

/** Ends a cell without a lease. */
export function endIdle(cell: IdleCell): void {
  cell.kill({ code: 'WORKER_EXITED', message: 'The cell had no sandbox.' })
}
