import type { TokenBucket } from './token-bucket.ts'

/** What one tenant has of something that its host has a bounded number of, and who of it waits for more. */
export class Share<Waiter> {
  readonly tenant: string
  /** How many the tenant may have. */
  readonly most: number
  /** How fast it may take them; undefined where that is not bounded. */
  readonly rate: TokenBucket | undefined
  taken = 0
  /** In the order in which they came. */
  readonly waiters = new Set<Waiter>()

  constructor(tenant: string, most = Number.POSITIVE_INFINITY, rate?: TokenBucket) {
    this.tenant = tenant
    this.most = most
    this.rate = rate
  }

  /** True where the tenant has no more than it may have with one more. */
  get mayTake(): boolean {
    return this.taken < this.most && (this.rate === undefined || this.rate.wait === 0)
  }
}
