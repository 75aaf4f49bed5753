import type { Isolation } from '../contract/isolation.ts'
import type { Quota } from './admission.ts'
import type { ResolvedHostOptions } from './options.ts'

/** The quota of each isolation level of a host: cells hold a bounded number of sandboxes, threads any number. */
export class Quotas {
  readonly #options: ResolvedHostOptions
  readonly #quotas = new Map<Isolation, Quota>()

  constructor(options: ResolvedHostOptions) {
    this.#options = options
  }

  of(isolation: Isolation): Quota {
    const known = this.#quotas.get(isolation)
    if (known !== undefined) return known
    const { maxCells, sandboxesPerCell } = this.#options
    const most = isolation === 'process' ? maxCells * sandboxesPerCell : Number.POSITIVE_INFINITY
    const quota = { most, taken: 0 }
    this.#quotas.set(isolation, quota)
    return quota
  }
}
