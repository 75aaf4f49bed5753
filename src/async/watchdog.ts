import { clearTimeout, performance, setImmediate, setTimeout } from './clock.ts'
import { outsideRequests } from './outside-requests.ts'

/** Milliseconds; a longer timer would fire at once. */
const longestSleep = 2 ** 31 - 1

/** Milliseconds before the end of a time at which it looks whether this thread stands still. */
const lead = 250
/** Milliseconds that a timer is late by at most where it does not. */
const tolerated = 100
/** The most milliseconds that a thread which stood still gets to read what came meanwhile. */
const mostToRead = 4000
/** How often it gets it for one expectation. */
const mostReads = 4

/**
 * One timer that watches one expectation after another. It is not moved at every new expectation: when it
 * fires it looks whether the current one is overdue, and sleeps on if not. What comes while this thread stands still came
 * in time.
 */
export class Watchdog {
  readonly #onOverdue: () => void
  readonly #toRead: number
  #due: number | undefined
  #timer: NodeJS.Timeout | undefined
  #wakesAt = 0
  /** How often the current expectation got time to read. */
  #reads = 0

  /**
   * @param options.toRead - milliseconds that a thread which stood still gets at least to read what came meanwhile: a large reply
   *   takes many turns. It gets more where it was late by more than half of that, up to 4 s. Default: 250.
   */
  constructor(onOverdue: () => void, { toRead = 250 }: { readonly toRead?: number } = {}) {
    this.#onOverdue = onOverdue
    this.#toRead = toRead
  }

  /** From now on, something is to happen within `seconds`. */
  expect(seconds: number): void {
    this.#reads = 0
    const due = performance.now() + seconds * 1000
    this.#due = due
    const look = lookBefore(due)
    if (this.#timer === undefined || this.#wakesAt > look) this.#sleep(look)
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
    const now = performance.now()
    this.#wakesAt = Math.min(now + longestSleep, Math.max(now + 1, until))
    // A timer that fires after the event loop stood still must let waiting messages be read first.
    const wake = () => {
      const late = performance.now() - this.#wakesAt
      setImmediate(() => this.#look(late > tolerated ? late : 0))
    }
    this.#timer = outsideRequests(() => setTimeout(wake, this.#wakesAt - now).unref())
  }

  /** @param late - milliseconds that this thread stood still; 0 where it did not. */
  #look(late: number): void {
    this.#timer = undefined
    if (this.#due === undefined) return
    const now = performance.now()
    let due = this.#due
    const read = Math.min(Math.max(2 * late, this.#toRead), mostToRead)
    if (late > 0 && due < now + read && this.#reads < mostReads) {
      this.#reads += 1
      due = now + read
      this.#due = due
    }
    if (now >= due) this.#onOverdue()
    else this.#sleep(lookBefore(due))
  }
}

/** When to wake for what is due then: once before it, and when it is. */
function lookBefore(due: number): number {
  const before = due - lead
  return before > performance.now() ? before : due
}
