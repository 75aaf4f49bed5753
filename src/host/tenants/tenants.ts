import { performance } from '../../async/clock.ts'
import type { AdmissionWaiter } from '../admission.ts'
import type { CommandLimiter, CommandTurns } from '../command-limiter.ts'
import type { Labels } from '../event-data.ts'
import { type ResolvedQuotas, tenantOf } from './options.ts'
import { Share } from './share.ts'
import { TokenBucket } from './token-bucket.ts'

/** What one tenant of a host has at this moment: counts. */
export interface TenantFigures {
  /** The value of the label of its sandboxes; `''` for those without it. */
  readonly tenant: string
  /** Sandboxes with a session, those that open included. */
  readonly leased: number
  /** Sandboxes that wait for a session, and whom `quotas` or the host lets have none yet. */
  readonly queued: number
  /** Sandboxes that may run commands now. */
  readonly running: number
  /** Sandboxes whose commands wait for others. */
  readonly waiting: number
}

/** One tenant, and what it has of its host. */
export interface Tenant {
  /** The value of the label. */
  readonly name: string
  readonly places: Share<AdmissionWaiter>
  readonly turns: CommandTurns
  /** What keeps it: its sessions, and the openings and places of them. */
  readonly users: Set<object>
}

/** Milliseconds after which every token bucket is full. */
const longestRest = 60_000

/** The tenants of a host that have sandboxes, or had some in the last minute. Without quotas there is one. */
export class Tenants {
  readonly #quotas: ResolvedQuotas | undefined
  readonly #limiter: CommandLimiter
  readonly #now: () => number
  readonly #tenants = new Map<string, Tenant>()
  /** Those whom nobody uses and whose openings are still remembered, with the time of that; the oldest first. */
  readonly #resting = new Map<Tenant, number>()

  /** @param now - milliseconds of a monotonic clock. */
  constructor(quotas: ResolvedQuotas | undefined, limiter: CommandLimiter, now = performance.now) {
    this.#quotas = quotas
    this.#limiter = limiter
    this.#now = now
  }

  /** How many there are, those that are remembered included. */
  get size(): number {
    return this.#tenants.size
  }

  /** The figures of those with sandboxes; empty without quotas. */
  get figures(): readonly TenantFigures[] {
    if (this.#quotas === undefined) return []
    return [...this.#tenants.values()]
      .filter(({ users }) => users.size > 0)
      .map(({ name, places, turns }) => ({
        tenant: name,
        leased: places.taken,
        queued: places.waiters.size,
        running: turns.running,
        waiting: turns.waiting,
      }))
  }

  /** The tenant of a sandbox. */
  of(labels: Labels): Tenant {
    const name = this.#quotas === undefined ? '' : tenantOf(labels, this.#quotas.label)
    const known = this.#tenants.get(name)
    if (known !== undefined) return known
    this.#forget()
    const made = this.#make(name)
    this.#tenants.set(name, made)
    return made
  }

  /** Keeps a tenant for a user of it. */
  enter(tenant: Tenant, user: object): void {
    tenant.users.add(user)
    this.#resting.delete(tenant)
  }

  /** The user does not need the tenant any more. Idempotent. */
  leave(tenant: Tenant, user: object): void {
    if (!tenant.users.delete(user) || tenant.users.size > 0) return
    this.#resting.set(tenant, this.#now())
    this.#forget()
  }

  #forget(): void {
    const now = this.#now()
    for (const [tenant, since] of this.#resting) {
      if (tenant.places.rate?.isFull === false && now - since < longestRest) return
      this.#resting.delete(tenant)
      this.#tenants.delete(tenant.name)
    }
  }

  #make(name: string): Tenant {
    const quota = this.#quotas?.tenants.get(name) ?? this.#quotas?.everyone ?? {}
    const { maxSandboxes, maxRunning, opensPerMinute } = quota
    const rate = opensPerMinute === undefined ? undefined : new TokenBucket(opensPerMinute, this.#now)
    return {
      name,
      places: new Share(name, maxSandboxes, rate),
      turns: this.#limiter.turns(name, maxRunning),
      users: new Set(),
    }
  }
}
