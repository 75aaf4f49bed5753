const minute = 60_000
/** Milliseconds that sums of parts of a minute may be off. */
const rounding = 0.001

/** Lets so many through at once, and after that one each time that its part of a minute has passed. */
export class TokenBucket {
  readonly perMinute: number
  readonly #interval: number
  readonly #now: () => number
  /** When all its tokens are there again. */
  #full = 0

  /**
   * @param perMinute - how many tokens it holds, and gets a minute.
   * @param now - milliseconds of a monotonic clock.
   */
  constructor(perMinute: number, now: () => number) {
    this.perMinute = perMinute
    this.#interval = minute / perMinute
    this.#now = now
  }

  /** Milliseconds until there is a token; 0 where there is one. */
  get wait(): number {
    const wait = this.#full - this.#now() - (minute - this.#interval)
    return wait > rounding ? wait : 0
  }

  /** True while nothing is to be remembered of it. */
  get isFull(): boolean {
    return this.#full <= this.#now()
  }

  /** Takes a token that is there. */
  take(): void {
    this.#full = Math.max(this.#full, this.#now()) + this.#interval
  }
}
