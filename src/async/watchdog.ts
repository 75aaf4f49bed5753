import { outsideRequests } from './outside-requests.ts'

/** Milliseconds; a longer timer would fire at once. */
const longestSleep = 2 ** 31 - 1

/**
 * One timer that watches one expectation after another. It is not moved at every new expectation: when it
 * fires it looks whether the current one is overdue, and sleeps on if not.
 */
export class Watchdog {
  readonly #onOverdue: () => void
  #due: number | undefined
  #timer: NodeJS.Timeout | undefined
  #wakesAt = 0

  constructor(onOverdue: () => void) {
    this.#onOverdue = onOverdue
  }

  /** From now on, something is to happen within `seconds`. */
  expect(seconds: number): void {
    this.#due = performance.now() + seconds * 1000
    if (this.#timer === undefined || this.#wakesAt > this.#due) this.#sleep(this.#due)
  }

  /** Nothing is expected for now. */
  rest(): void {
    this.#due = undefined
  }

  /** Nothing is expected ever again. */
  stop(): void {
    this.#due = undefined
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  #sleep(until: number): void {
    clearTimeout(this.#timer)
    this.#wakesAt = until
    // A timer that fires after the event loop stood still must let waiting messages be read first.
    const wake = () => setImmediate(() => this.#look())
    this.#timer = outsideRequests(() =>
      setTimeout(wake, Math.min(longestSleep, Math.max(1, until - performance.now()))).unref(),
    )
  }

  #look(): void {
    this.#timer = undefined
    if (this.#due === undefined) return
    if (performance.now() >= this.#due) this.#onOverdue()
    else this.#sleep(this.#due)
  }
}
