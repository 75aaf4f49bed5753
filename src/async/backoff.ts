import { sleep } from './clock.ts'

const firstDelay = 100

/** Waits longer after each failure in a row: 100 ms at first. */
export class Backoff {
  readonly #longest: number
  #failures = 0

  /** @param longest - milliseconds. Default: 5 s. */
  constructor(longest = 5_000) {
    this.#longest = longest
  }

  /** Milliseconds to wait, as the failures so far ask for: 0 after a success. */
  get delay(): number {
    return this.#failures === 0 ? 0 : Math.min(firstDelay * 2 ** (this.#failures - 1), this.#longest)
  }

  async wait(): Promise<void> {
    if (this.#failures > 0) await sleep(this.delay)
  }

  failed(): void {
    this.#failures += 1
  }

  succeeded(): void {
    this.#failures = 0
  }
}
