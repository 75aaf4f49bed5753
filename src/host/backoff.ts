import { setTimeout as sleep } from 'node:timers/promises'

const firstDelay = 100
const longestDelay = 5_000

/** Waits longer after each failure in a row: 100 ms at first, 5 s at most. */
export class Backoff {
  #failures = 0

  /** Waits as the failures so far ask for: not at all after a success. */
  async wait(): Promise<void> {
    if (this.#failures > 0) await sleep(Math.min(firstDelay * 2 ** (this.#failures - 1), longestDelay))
  }

  failed(): void {
    this.#failures += 1
  }

  succeeded(): void {
    this.#failures = 0
  }
}
