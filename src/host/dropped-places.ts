import { clearTimeout, setImmediate, setTimeout } from '../async/clock.ts'
import { type GarbageCollection, processGarbage } from '../async/garbage.ts'
import { outsideRequests } from '../async/outside-requests.ts'

/** Milliseconds after a collection in which the sandboxes that it found give their places up. */
const settling = 20
/** Milliseconds from one look to the next where a collection may run, but can find nothing. */
const pause = 1000

/** What {@link DroppedPlaces} has of its host. */
export interface DroppedPlacesOptions {
  /** True while an opening waits. */
  readonly isAwaited: () => boolean
  /** True while there may be a sandbox that nobody refers to. */
  readonly mayBeDropped: () => boolean
}

/**
 * The places of sandboxes that nobody refers to and nobody has closed. They are given up when the sandbox is
 * garbage-collected, which may take long: while an opening waits, this collects on demand.
 */
export class DroppedPlaces {
  readonly #options: DroppedPlacesOptions
  readonly #garbage: GarbageCollection
  #looks = false
  #timer: NodeJS.Timeout | undefined
  #seeking: Promise<void> | undefined
  #onFound: (() => void) | undefined

  constructor(options: DroppedPlacesOptions, garbage = processGarbage) {
    this.#options = options
    this.#garbage = garbage
  }

  /** Looks for them for as long as an opening waits. */
  seek(): void {
    if (this.#looks) return
    this.#looks = true
    // Not before those who let a sandbox go have returned.
    if (this.#garbage.wait === 0) outsideRequests(() => setImmediate(() => this.#look()))
    else this.#lookLater()
  }

  /** Looks for them once, if a collection may run now; resolves when what it found is given up. */
  seekOnce(): Promise<void> {
    this.#seeking ??= outsideRequests(() => this.#seekOnce()).finally(() => {
      this.#seeking = undefined
    })
    return this.#seeking
  }

  /** Says that a sandbox was garbage-collected. */
  found(): void {
    this.#garbage.found()
    this.#onFound?.()
    if (this.#timer !== undefined) this.#lookLater()
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  #look(): void {
    this.#timer = undefined
    this.#looks = this.#options.isAwaited()
    if (!this.#looks) return
    if (this.#options.mayBeDropped()) this.#garbage.run()
    this.#lookLater()
  }

  #lookLater(): void {
    clearTimeout(this.#timer)
    const wait = Math.ceil(this.#garbage.wait) || pause
    this.#timer = outsideRequests(() => setTimeout(() => this.#look(), wait)).unref()
  }

  async #seekOnce(): Promise<void> {
    await new Promise<void>((resolve) => setImmediate(resolve))
    if (!this.#options.mayBeDropped() || !this.#garbage.run()) return
    let timer: NodeJS.Timeout | undefined
    await new Promise<void>((resolve) => {
      this.#onFound = resolve
      timer = setTimeout(resolve, settling)
    })
    clearTimeout(timer)
  }
}
