/** A cell that takes sandboxes, and whose they are. */
export interface OwnedCell {
  readonly id: number
  readonly owner: string
  readonly leases: number
}

/**
 * The cells that take no more sandboxes, so that they become empty for owners who wait: of the owner with the most cells the one with
 * the fewest leases. An owner gives none up where it would then have fewer than the one who waits.
 *
 * @param waiting - the owners who wait for a cell.
 */
export function yieldingCells(cells: readonly OwnedCell[], waiting: Iterable<string>): ReadonlySet<number> {
  const held = new Map<string, OwnedCell[]>()
  for (const cell of cells) held.set(cell.owner, [...(held.get(cell.owner) ?? []), cell])
  for (const own of held.values()) own.sort((a, b) => a.leases - b.leases)
  const fewestFirst = [...waiting].map((owner) => held.get(owner)?.length ?? 0).sort((a, b) => a - b)
  const yielding = new Set<number>()
  for (const has of fewestFirst) {
    const most = [...held.values()].reduce((a, b) => (b.length > a.length ? b : a), [])
    if (most.length < has + 2) break
    const cell = most.shift()
    if (cell !== undefined) yielding.add(cell.id)
  }
  return yielding
}
