import { performance } from '../async/clock.ts'

/** Stops that are remembered at once, at most. */
const mostStops = 10_000

/** Remembers which calls are to be stopped that have not come yet: what stops a call may overtake it. */
export class EarlyStops {
  readonly #milliseconds: number
  /** When each is forgotten, in milliseconds of the clock; the oldest come first. */
  readonly #until = new Map<string, number>()

  /** @param seconds - that a stop is remembered. */
  constructor(seconds: number) {
    this.#milliseconds = seconds * 1000
  }

  /** The call with this key is to be stopped when it comes. */
  add(key: string): void {
    this.#until.delete(key)
    this.#until.set(key, performance.now() + this.#milliseconds)
    for (const [old, until] of this.#until) {
      if (this.#until.size <= mostStops && until > performance.now()) return
      this.#until.delete(old)
    }
  }

  /** Whether the call with this key, which has come now, is to be stopped. */
  take(key: string): boolean {
    const until = this.#until.get(key)
    return this.#until.delete(key) && until !== undefined && until > performance.now()
  }
}
