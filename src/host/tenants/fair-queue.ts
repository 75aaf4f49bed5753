import type { Share } from './share.ts'

/** One who waits, and the share of its tenant. */
export interface Queued<Waiter> {
  readonly share: Share<Waiter>
  readonly waiter: Waiter
}

/**
 * Those who wait for something that tenants share. Next is the tenant that has the fewest, of equal ones that whose turn came
 * longest ago; within a tenant who came first. A tenant that may have no more holds up nobody.
 */
export class FairQueue<Waiter> {
  /** Those with waiters; whose turn came last is last. */
  readonly #shares = new Set<Share<Waiter>>()
  #size = 0

  get size(): number {
    return this.#size
  }

  /** The shares of tenants that wait. */
  get shares(): Iterable<Share<Waiter>> {
    return this.#shares
  }

  /** True where a tenant waits that may have more. */
  get hasNext(): boolean {
    for (const share of this.#shares) if (share.mayTake) return true
    return false
  }

  add(share: Share<Waiter>, waiter: Waiter): void {
    share.waiters.add(waiter)
    this.#shares.add(share)
    this.#size += 1
  }

  /** False: it did not wait. */
  remove(share: Share<Waiter>, waiter: Waiter): boolean {
    if (!share.waiters.delete(waiter)) return false
    this.#size -= 1
    if (share.waiters.size === 0) this.#shares.delete(share)
    return true
  }

  /** Takes out who is next of those that `fits` says yes to. The caller counts what its tenant has. */
  next(fits: (waiter: Waiter) => boolean = () => true): Queued<Waiter> | undefined {
    const next = this.#find(fits)
    if (next === undefined) return undefined
    const { share, waiter } = next
    this.remove(share, waiter)
    // Whoever of it still waits is behind all others of tenants that have as many.
    if (this.#shares.delete(share)) this.#shares.add(share)
    return next
  }

  /** Takes out the last of the tenant with the most waiters, where it has at least two more than `share`. */
  takeLastOfMost(share: Share<Waiter>): Queued<Waiter> | undefined {
    let most: Share<Waiter> | undefined
    for (const other of this.#shares) if (other.waiters.size > (most?.waiters.size ?? 0)) most = other
    if (most === undefined || most.waiters.size < share.waiters.size + 2) return undefined
    const [waiter] = [...most.waiters].slice(-1)
    if (waiter === undefined) return undefined
    this.remove(most, waiter)
    return { share: most, waiter }
  }

  /** Takes everybody out. */
  clear(): readonly Waiter[] {
    const all = [...this.#shares].flatMap(({ waiters }) => [...waiters])
    for (const { waiters } of this.#shares) waiters.clear()
    this.#shares.clear()
    this.#size = 0
    return all
  }

  #find(fits: (waiter: Waiter) => boolean): Queued<Waiter> | undefined {
    let best: Queued<Waiter> | undefined
    for (const share of this.#shares) {
      if (!share.mayTake || (best !== undefined && share.taken >= best.share.taken)) continue
      const waiter = first(share.waiters, fits)
      if (waiter === undefined) continue
      best = { share, waiter }
      if (share.taken === 0) return best
    }
    return best
  }
}

function first<Waiter>(waiters: Iterable<Waiter>, fits: (waiter: Waiter) => boolean): Waiter | undefined {
  for (const waiter of waiters) if (fits(waiter)) return waiter
  return undefined
}
