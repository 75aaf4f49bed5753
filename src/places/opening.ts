/** One opening of a session, as its sandbox sees it: whether it waits for a place, and how to wait no longer. */
export class Opening {
  /** Fires where the sandbox is closed. */
  readonly signal: AbortSignal
  #leave: (() => void) | undefined
  #left = false

  constructor(signal: AbortSignal) {
    this.signal = signal
  }

  /** True once the sandbox itself has given it up. */
  get givenUp(): boolean {
    return this.#left || this.signal.aborted
  }

  /** It waits in the host's queue until {@link Opening.admitted}; `leave` takes it out. */
  queued(leave: () => void): void {
    this.#leave = leave
  }

  admitted(): void {
    this.#leave = undefined
  }

  /** Leaves the queue. False: it is not in it, and goes on. */
  leaveQueue(): boolean {
    if (this.#leave === undefined) return false
    this.#left = true
    this.#leave()
    this.#leave = undefined
    return true
  }
}
