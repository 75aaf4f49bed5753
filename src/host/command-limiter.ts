/** Who may have a turn: one a sandbox. */
export interface TurnTaker {
  /** Its turn has come, after a wait. */
  onTurn(): void
}

/** Lets a bounded number of sandboxes run commands at once; the rest wait for their turn, first come, first served. */
export class CommandLimiter {
  readonly #most: number
  readonly #waiting = new Set<TurnTaker>()
  #taken = 0

  /** @param most - how many have a turn at once. */
  constructor(most: number) {
    this.#most = most
  }

  /** Sandboxes that have a turn. */
  get taken(): number {
    return this.#taken
  }

  /** Sandboxes that wait for one. */
  get waiting(): number {
    return this.#waiting.size
  }

  /** Takes a turn. False: there is none now, and `onTurn` is called when there is. */
  take(taker: TurnTaker): boolean {
    if (this.#taken < this.#most) {
      this.#taken += 1
      return true
    }
    this.#waiting.add(taker)
    return false
  }

  /** Gives a turn back: it goes to the one that waits longest. */
  giveBack(): void {
    const [next] = this.#waiting
    if (next === undefined) {
      this.#taken -= 1
      return
    }
    this.#waiting.delete(next)
    next.onTurn()
  }

  /** Waits no longer. */
  leave(taker: TurnTaker): void {
    this.#waiting.delete(taker)
  }
}
