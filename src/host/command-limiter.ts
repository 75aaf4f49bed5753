/** A sandbox that waits to run commands. */
export interface CommandWaiter {
  /** It may run commands now. */
  onAcquired(): void
}

/** Lets a bounded number of sandboxes run commands at once; the others wait, first come, first served. */
export class CommandLimiter {
  readonly #most: number
  readonly #waiters = new Set<CommandWaiter>()
  #running = 0

  /** @param most - how many sandboxes may run commands at once. */
  constructor(most: number) {
    this.#most = most
  }

  /** Sandboxes that may run commands now. */
  get running(): number {
    return this.#running
  }

  /** Sandboxes that wait. */
  get waiting(): number {
    return this.#waiters.size
  }

  /** Asks to run commands. False: not now, and `onAcquired` is called later. */
  acquire(waiter: CommandWaiter): boolean {
    if (this.#running < this.#most) {
      this.#running += 1
      return true
    }
    this.#waiters.add(waiter)
    return false
  }

  /** The sandbox runs no commands for now: the one that has waited longest may run its own. */
  release(): void {
    const [next] = this.#waiters
    if (next === undefined) {
      this.#running -= 1
      return
    }
    this.#waiters.delete(next)
    next.onAcquired()
  }

  /** Removes a sandbox that no longer waits. */
  leave(waiter: CommandWaiter): void {
    this.#waiters.delete(waiter)
  }
}
