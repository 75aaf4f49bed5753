import { FairQueue } from './tenants/fair-queue.ts'
import { Share } from './tenants/share.ts'

/** A sandbox that waits to run commands. */
export interface CommandWaiter {
  /** It may run commands now. */
  onAcquired(): void
}

/**
 * Lets a bounded number of sandboxes run commands at once. The others wait: next is the tenant with the fewest that run, and of
 * its sandboxes the one that has waited longest.
 */
export class CommandLimiter {
  readonly #most: number
  readonly #queue = new FairQueue<CommandWaiter>()
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
    return this.#queue.size
  }

  /** The turns of one tenant's sandboxes. @param most - how many of its sandboxes may run commands at once. */
  turns(tenant = '', most?: number): CommandTurns {
    return new CommandTurns(this, new Share(tenant, most))
  }

  acquire(share: Share<CommandWaiter>, waiter: CommandWaiter): boolean {
    if (this.#running < this.#most && share.mayTake) {
      this.#take(share)
      return true
    }
    this.#queue.add(share, waiter)
    return false
  }

  release(share: Share<CommandWaiter>): void {
    this.#running -= 1
    share.taken -= 1
    while (this.#running < this.#most) {
      const next = this.#queue.next()
      if (next === undefined) return
      this.#take(next.share)
      next.waiter.onAcquired()
    }
  }

  leave(share: Share<CommandWaiter>, waiter: CommandWaiter): void {
    this.#queue.remove(share, waiter)
  }

  isAwaited({ waiters }: Share<CommandWaiter>): boolean {
    return waiters.size > 0 || (this.#running >= this.#most && this.#queue.hasNext)
  }

  #take(share: Share<CommandWaiter>): void {
    this.#running += 1
    share.taken += 1
  }
}

/** The turns of one tenant's sandboxes to run commands. */
export class CommandTurns {
  readonly #limiter: CommandLimiter
  readonly #share: Share<CommandWaiter>

  constructor(limiter: CommandLimiter, share: Share<CommandWaiter>) {
    this.#limiter = limiter
    this.#share = share
  }

  /** Its sandboxes that may run commands now. */
  get running(): number {
    return this.#share.taken
  }

  /** Its sandboxes that wait. */
  get waiting(): number {
    return this.#share.waiters.size
  }

  /** True where somebody waits who could run when one of these turns ends. */
  get isAwaited(): boolean {
    return this.#limiter.isAwaited(this.#share)
  }

  /** Asks to run commands. False: not now, and `onAcquired` is called later. */
  acquire(waiter: CommandWaiter): boolean {
    return this.#limiter.acquire(this.#share, waiter)
  }

  /** The sandbox runs no commands for now: who is next may run its own. */
  release(): void {
    this.#limiter.release(this.#share)
  }

  /** Removes a sandbox that no longer waits. */
  leave(waiter: CommandWaiter): void {
    this.#limiter.leave(this.#share, waiter)
  }
}
