import { Backoff } from '../../async/backoff.ts'
import { performance } from '../../async/clock.ts'

/** Milliseconds for which a cell must have lived for its death not to count as one in a row. */
const longLife = 10_000

/** When a cell may be started: at once, unless the replacement of a dead cell has soon died, too. */
export class CellReplacement {
  readonly #backoff: Backoff
  #lastDeath = Number.NEGATIVE_INFINITY
  /** When the replacement of the last one that soon died could start. */
  #replacedFrom = Number.NEGATIVE_INFINITY
  #notBefore = 0

  /** @param longest - seconds to wait at most. */
  constructor(longest: number) {
    this.#backoff = new Backoff(longest * 1000)
  }

  /** Milliseconds until a cell may be started. */
  get wait(): number {
    return Math.max(0, this.#notBefore - performance.now())
  }

  /** A cell has died that its host had not ended. @param started - when it was started, by `performance.now()`. */
  died(started: number): void {
    const now = performance.now()
    const diedSoon = now - started < longLife
    const isReplacement = started >= this.#lastDeath && started - this.#replacedFrom < longLife
    if (diedSoon && isReplacement) this.#backoff.failed()
    else if (started >= this.#lastDeath) this.#backoff.succeeded()
    this.#notBefore = now + this.#backoff.delay
    this.#lastDeath = diedSoon ? now : Number.NEGATIVE_INFINITY
    this.#replacedFrom = diedSoon ? this.#notBefore : Number.NEGATIVE_INFINITY
  }
}
