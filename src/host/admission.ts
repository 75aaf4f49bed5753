import { clearTimeout, setTimeout } from '../async/clock.ts'
import { outsideRequests } from '../async/outside-requests.ts'
import type { OpenRequest } from '../places/open-request.ts'
import type { HostBound } from '../sandbox/errors.ts'
import { FairQueue } from './tenants/fair-queue.ts'
import type { Share } from './tenants/share.ts'

/** What bounds admission: counts. */
export interface AdmissionLimits {
  readonly maxSandboxes: number
  readonly maxQueued: number
}

/** How many sandboxes one isolation level may have, and how many it has. */
export interface Quota {
  readonly most: number
  taken: number
}

/** Who asks to be admitted: an isolation level's quota, and a tenant's share. */
export interface Entrant {
  readonly quota: Quota
  readonly share: Share<AdmissionWaiter>
}

/** One who waits to be admitted. */
export interface AdmissionWaiter extends Entrant {
  readonly admit: () => void
  readonly refuse: (error: unknown) => void
}

/**
 * Admits a bounded number of sandboxes, of each isolation level as many as its quota has, and of each tenant as many as its
 * share has. The others wait in a bounded queue: next is the tenant with the fewest sandboxes, and of it who came first.
 */
export class Admission {
  readonly #limits: AdmissionLimits
  readonly #refusal: (entrant: Entrant) => Error
  readonly #queue = new FairQueue<AdmissionWaiter>()
  /** Fires when a tenant that waits for it may open the next sandbox. */
  #timer: NodeJS.Timeout | undefined
  #admitted = 0

  /** @param refusal - makes the error where the queue is full. */
  constructor(limits: AdmissionLimits, refusal: (entrant: Entrant) => Error) {
    this.#limits = limits
    this.#refusal = refusal
  }

  /** Sandboxes that are admitted. */
  get admitted(): number {
    return this.#admitted
  }

  /** Sandboxes that wait. */
  get queued(): number {
    return this.#queue.size
  }

  /** Sandboxes that wait and that their tenants let in: any place that is given back helps one. */
  get wanted(): number {
    let wanted = 0
    for (const share of this.#queue.shares) wanted += welcome(share)
    return wanted
  }

  /** Sandboxes of a tenant that wait for another one of it to leave. */
  wantedOf(share: Share<AdmissionWaiter>): number {
    return share.rate !== undefined && share.rate.wait > 0 ? 0 : share.waiters.size - welcome(share)
  }

  /** Sandboxes that wait for others to leave. */
  get awaited(): number {
    let awaited = 0
    for (const share of this.#queue.shares) awaited += welcome(share) + this.wantedOf(share)
    return awaited
  }

  /** How many may enter a quota without waiting. */
  free({ most, taken }: Quota): number {
    return Math.min(this.#limits.maxSandboxes - this.#admitted, most - taken)
  }

  /** True where one may enter without waiting. */
  admits({ quota, share }: Entrant): boolean {
    return this.free(quota) > 0 && share.mayTake
  }

  /** True where there is no place, and none to wait for one either. */
  refuses(entrant: Entrant): boolean {
    return !this.admits(entrant) && this.#queue.size >= this.#limits.maxQueued
  }

  /** The bounds that keep one from entering without waiting; those of its tenant first. */
  reached({ quota, share }: Entrant): readonly HostBound[] {
    return [
      ...(share.taken >= share.most ? (['quotas.maxSandboxes'] as const) : []),
      ...(share.rate !== undefined && share.rate.wait > 0 ? (['quotas.opensPerMinute'] as const) : []),
      ...this.#reachedOf(quota),
    ]
  }

  /**
   * Waits for a place; a request that is cancelled is taken out of the queue.
   *
   * @param onQueued - told where it has to wait.
   * @returns what gives the place back; further calls of it do nothing
   * @throws the refusal when the queue is full, now or later, when it is the last of the tenant with the most that wait
   * @throws the reason of the request's signal when it fires
   */
  async enter(request: OpenRequest, entrant: Entrant, onQueued?: () => void): Promise<() => void> {
    const { rate, waiters } = entrant.share
    // Nobody overtakes those of its tenant that wait for the next minute.
    if (rate !== undefined && waiters.size > 0) this.#serve()
    if (this.admits(entrant)) this.#take(entrant)
    else await this.#wait(request, entrant, onQueued)
    let released = false
    return () => {
      if (released) return
      released = true
      this.#release(entrant)
    }
  }

  /** Refuses everyone who waits. */
  close(makeError: () => Error): void {
    clearTimeout(this.#timer)
    for (const { refuse } of this.#queue.clear()) refuse(makeError())
  }

  #reachedOf({ most, taken }: Quota): readonly HostBound[] {
    if (this.#admitted >= this.#limits.maxSandboxes) return ['maxSandboxes']
    return taken >= most ? ['maxCells', 'sandboxesPerCell'] : []
  }

  #take({ quota, share }: Entrant): void {
    this.#admitted += 1
    quota.taken += 1
    share.taken += 1
    share.rate?.take()
  }

  #wait(request: OpenRequest, entrant: Entrant, onQueued: (() => void) | undefined): Promise<void> {
    if (this.refuses(entrant)) this.#makeRoom(entrant)
    return new Promise((resolve, reject) => {
      const { share } = entrant
      const waiter: AdmissionWaiter = { ...entrant, admit: resolve, refuse: reject }
      this.#queue.add(share, waiter)
      request.onCancel(() => {
        if (this.#queue.remove(share, waiter)) reject(request.signal.reason)
      })
      this.#serveInTime()
      if (!request.signal.aborted) onQueued?.()
    })
  }

  /** A full queue is shared, too. @throws the refusal where no tenant has more in it */
  #makeRoom(entrant: Entrant): void {
    const last = this.#queue.takeLastOfMost(entrant.share)
    if (last === undefined) throw this.#refusal(entrant)
    last.waiter.refuse(this.#refusal(last.waiter))
  }

  #release({ quota, share }: Entrant): void {
    this.#admitted -= 1
    quota.taken -= 1
    share.taken -= 1
    this.#serve()
  }

  #serve(): void {
    while (this.#queue.size > 0 && this.#admitted < this.#limits.maxSandboxes) {
      const next = this.#queue.next(({ quota }) => this.free(quota) > 0)
      if (next === undefined) break
      this.#take(next.waiter)
      next.waiter.admit()
    }
    this.#serveInTime()
  }

  /** Serves again when the next tenant may open one that waits for nothing else. */
  #serveInTime(): void {
    clearTimeout(this.#timer)
    let wait = Number.POSITIVE_INFINITY
    for (const { rate } of this.#queue.shares) {
      if (rate !== undefined && rate.wait > 0) wait = Math.min(wait, rate.wait)
    }
    if (wait === Number.POSITIVE_INFINITY) return
    this.#timer = outsideRequests(() => setTimeout(() => this.#serve(), Math.ceil(wait))).unref()
  }
}

/** How many of those that wait their tenant lets in. */
function welcome({ mayTake, waiters, most, taken }: Share<AdmissionWaiter>): number {
  return mayTake ? Math.min(waiters.size, most - taken) : 0
}
