import { Backoff } from '../host/backoff.ts'

/** Milliseconds for which a cell must have lived for its death not to count as one in a row. */
const longLife = 10_000

/** When a cell may be started: at once, unless cells have died one after another, each soon after its start. */
export class CellReplacement {
  readonly #backoff: Backoff
  #lastDiedYoung = false
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
    const young = now - started < longLife
    if (!young) this.#backoff.succeeded()
    else if (this.#lastDiedYoung) this.#backoff.failed()
    this.#lastDiedYoung = young
    this.#notBefore = now + this.#backoff.delay
  }
}
