import { Backoff } from '../host/backoff.ts'

/** Milliseconds for which a cell must have lived for its death not to count as one in a row. */
const longLife = 10_000

/** When a cell may be started: at once, unless one that took the place of a dead one has died soon itself. */
export class CellReplacement {
  readonly #backoff: Backoff
  #lastDeath = Number.NEGATIVE_INFINITY
  #notBefore = 0

  /** @param longest - seconds to wait at most. */
  constructor(longest: number) {
    this.#backoff = new Backoff(longest * 1000)
  }

  /** Milliseconds until a cell may be started. */
  get wait(): number {
    return Math.max(0, this.#notBefore - performance.now())
  }

  /** A cell has died that nobody ended. @param started - when it was started, by `performance.now()`. */
  died(started: number): void {
    const now = performance.now()
    const diedSoon = now - started < longLife
    const isReplacement = started >= this.#lastDeath && started - this.#lastDeath < longLife
    if (diedSoon && isReplacement) this.#backoff.failed()
    else if (started >= this.#lastDeath) this.#backoff.succeeded()
    this.#lastDeath = diedSoon ? now : Number.NEGATIVE_INFINITY
    this.#notBefore = now + this.#backoff.delay
  }
}
