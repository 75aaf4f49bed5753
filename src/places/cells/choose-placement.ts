/** What a placement depends on of one cell. */
export interface CellFacts {
  readonly id: number
  /** True once it can open leases at once. */
  readonly isReady: boolean
  /** Leases that it may still take; 0 while a retired one still runs. */
  readonly free: number
  /** Leases that it has, those that open included. */
  readonly leases: number
  /** True until its first lease: it can still be given another policy. */
  readonly isUnused: boolean
  /** What its leases must have in common. Cells with the same key are alike. */
  readonly policyKey: string
  /** What of the host it shows: fixed at its start. Empty: nothing. */
  readonly filesKey: string
}

/** What a placement depends on besides the cells. */
export interface Wanted {
  readonly policyKey: string
  readonly filesKey: string
  /** True where a cell that runs is better than one more. */
  readonly shares: boolean
  /** True where the cells of its policy are filled one after the other. */
  readonly fills: boolean
  /** True where another cell may be started now. */
  readonly mayStart: boolean
}

/** Where an opening goes: into a cell, into one that is to be started, or nowhere yet. */
export type Placement =
  | { readonly kind: 'use'; readonly id: number }
  | { readonly kind: 'start' }
  /** This cell has no lease and another policy: once it has ended, another may be started. */
  | { readonly kind: 'endAndWait'; readonly id: number }
  | { readonly kind: 'wait' }

/**
 * Chooses a cell for an opening. One that fills gets the fullest of its policy. Else: one of its policy without a lease, else one that was never used, else a new one unless it
 * shares, else the one of its policy with the fewest leases, else a new one. The fewer share a cell, the fewer are lost with it. A cell that has
 * served another policy is not used, nor one that shows other files of the host.
 *
 * @param cells - those that have not ended, the oldest first, which is preferred where there is no other difference.
 */
export function choosePlacement(cells: readonly CellFacts[], wanted: Wanted): Placement {
  const free = cells.filter((cell) => cell.free > 0)
  const alike = free
    .filter(({ policyKey, filesKey }) => policyKey === wanted.policyKey && filesKey === wanted.filesKey)
    .sort((a, b) => a.leases - b.leases)
  const [emptiest] = alike
  const fullest = alike.at(-1)
  if (wanted.fills && fullest !== undefined) return use(fullest)
  if (emptiest?.leases === 0) return use(emptiest)
  const unused = free.find(({ isUnused, filesKey }) => isUnused && filesKey === wanted.filesKey)
  if (unused !== undefined) return use(unused)
  if (emptiest !== undefined && (wanted.shares || !wanted.mayStart)) return use(emptiest)
  if (wanted.mayStart) return { kind: 'start' }
  const idle = cells.find(({ isReady, leases }) => isReady && leases === 0)
  return idle === undefined ? { kind: 'wait' } : { kind: 'endAndWait', id: idle.id }
}

function use({ id }: CellFacts): Placement {
  return { kind: 'use', id }
}
