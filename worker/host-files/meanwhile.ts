import { digestOf } from './digest.ts'
import { sameContentEntry } from './entry.ts'
import { HostGoneError } from './errors.ts'
import type { HostSide, LedgerState } from './ledger.ts'
import type { HostTree } from './tree.ts'

/** Bytes of a file that is compared by its content: of a larger one the times tell. */
const MOST_COMPARED = 2 ** 20

/** What the host has at a path, to be compared later. */
export function sideAt(tree: HostTree, rel: string): HostSide {
  const host = lookAt(tree, rel)
  if (host === undefined || 'reason' in host) return { host: undefined }
  const file = host.kind === 'file' && host.size <= MOST_COMPARED ? tree.read(rel) : undefined
  return typeof file === 'object' ? { host: file.entry, digest: digestOf(file.bytes) } : { host }
}

/** Whether the host has at a path something else than what a session left there. Permission bits and times do not count. */
export function isChangedSince({ host, digest }: HostSide, tree: HostTree, rel: string): boolean {
  const found = lookAt(tree, rel)
  if (found === undefined || 'reason' in found) return host !== undefined
  if (host === undefined) return true
  const isSame = sameContentEntry(host, found)
  if (host.kind !== 'file' || found.kind !== 'file' || digest === undefined) return !isSame
  if (isSame && !host.fresh && host.changed === found.changed) return false
  if (host.size !== found.size) return true
  const file = tree.read(rel)
  return typeof file === 'string' || digestOf(file.bytes) !== digest
}

/**
 * What the host is known to have where it has the same content under another entry: on another machine, or after its times
 * were set.
 */
export function settledState(state: LedgerState, tree: HostTree, rel: string): LedgerState {
  const { known } = state
  if (known?.host === undefined || known.digest === undefined) return state
  const found = lookAt(tree, rel)
  if (found === undefined || 'reason' in found || sameContentEntry(known.host, found)) return state
  if (found.kind !== 'file' || isChangedSince(known, tree, rel)) return state
  return { ...state, known: { ...known, host: found } }
}

/** While the source of the bind is gone, nothing is there. */
function lookAt(tree: HostTree, rel: string): ReturnType<HostTree['look']> {
  try {
    return tree.look(rel)
  } catch (error) {
    if (error instanceof HostGoneError) return undefined
    throw error
  }
}
