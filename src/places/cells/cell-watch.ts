import { clearInterval, setInterval } from '../../async/clock.ts'
import { outsideRequests } from '../../async/outside-requests.ts'

/** Milliseconds between two looks at a cell's memory: what it gains meanwhile may exceed its bound. */
const memoryInterval = 100
/** Looks at the memory between two questions whether the cell still answers. */
const looksAPing = 10
/** Questions in a row that may stay unanswered. One is asked a second, by this process's clock. */
const mostUnanswered = 10

/** What a watch needs of a cell, and tells of it. */
export interface Watched {
  /** Undefined where it is not known yet. */
  readonly pid: number | undefined
  /** Bytes. */
  readonly maxMemory: number
  ping(ping: number): void
  onTooLarge(bytes: number): void
  onStalled(seconds: number): void
}

/** Watches a cell from its start to its end: how much memory it holds, and whether it still answers. */
export class CellWatch {
  readonly #cell: Watched
  readonly #memoryOf: (pid: number) => number | undefined
  readonly #timer: NodeJS.Timeout
  #looks = 0
  #ping = 0
  #answered = 0
  #rss: number | undefined

  /** @param memoryOf - what a process holds in memory, in bytes; undefined where the system does not tell */
  constructor(cell: Watched, memoryOf: (pid: number) => number | undefined) {
    this.#cell = cell
    this.#memoryOf = memoryOf
    this.#timer = outsideRequests(() => setInterval(() => this.#look(), memoryInterval)).unref()
  }

  /** What the cell held in memory at the last look, in bytes; undefined where the system has not told. */
  get rss(): number | undefined {
    return this.#rss
  }

  /** The cell has answered a question; `rss` is what it says of its memory, in bytes. */
  answered(ping: number, rss: number): void {
    if (ping <= this.#answered || ping > this.#ping) return
    this.#answered = ping
    if (this.#memory() === undefined) this.#judge(rss)
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  #look(): void {
    const rss = this.#memory()
    if (rss !== undefined) this.#judge(rss)
    this.#looks += 1
    if (this.#looks % looksAPing !== 0) return
    const unanswered = this.#ping - this.#answered
    if (unanswered >= mostUnanswered) {
      this.#cell.onStalled((unanswered * looksAPing * memoryInterval) / 1000)
      return
    }
    this.#ping += 1
    this.#cell.ping(this.#ping)
  }

  #memory(): number | undefined {
    const { pid } = this.#cell
    return pid === undefined ? undefined : this.#memoryOf(pid)
  }

  #judge(rss: number): void {
    this.#rss = rss
    if (rss > this.#cell.maxMemory) this.#cell.onTooLarge(rss)
  }
}
