import { digestOf } from './digest.ts'
import { isUnchanged } from './host/entry.ts'
import type { HostListing } from './host/tree.ts'
import { hostSide, type Known, type Mirror } from './mirror.ts'
import { bringIn, type Incoming } from './sandbox/writer.ts'
import type { HostEntry, SandboxEntry, Skipped } from './types.ts'

/**
 * Brings into the sandbox what changed on the host since the last look. What the sandbox changed and the host
 * does not have yet is left alone: it is decided when it is written.
 *
 * @param found - what the host has now.
 * @param scope - the known paths that `found` speaks of: those it lacks are gone from the host.
 * @returns whether the sandbox took all of it.
 */
export async function bringHostChanges(
  mirror: Mirror,
  found: HostListing,
  scope: Iterable<string> = mirror.entries.keys(),
): Promise<boolean> {
  const left: Skipped[] = []
  const taken = new Map<string, Omit<Known, 'sandbox'>>()
  const incoming: Incoming[] = []
  for (const [rel, entry] of found.entries) {
    if (rel === '' && entry.kind === 'directory') continue
    const known = mirror.entries.get(rel)
    if (known?.host !== undefined && isUnchanged(known.host, entry)) continue
    if (mirror.isBlocked(rel)) continue
    const replaced = known?.sandbox?.kind === 'directory' && entry.kind !== 'directory'
    // What is pending in a directory is not given up for what the host has put in its place.
    if (replaced && mirror.hasPendingBelow(rel)) continue
    if (entry.kind !== 'directory' && mirror.setup.ways.has(rel)) {
      left.push({ path: rel, reason: 'another bind lies below' })
      continue
    }
    if (isStillSame(mirror, rel, entry)) continue
    incoming.push({ rel, before: known?.sandbox, after: afterOf(mirror, rel, entry, taken, left) })
  }
  const gone = goneFrom(mirror, found, scope)
  for (const rel of gone) incoming.push({ rel, before: mirror.entries.get(rel)?.sandbox, after: undefined })
  const refused = incoming.length === 0 ? new Set<string>() : await bring(mirror, incoming, found, taken)
  for (const path of refused) left.push({ path, reason: 'the sandbox does not take it' })
  if (left.length > 0) mirror.skipped = [...mirror.skipped, ...left]
  return refused.size === 0
}

async function bring(
  mirror: Mirror,
  incoming: readonly Incoming[],
  found: HostListing,
  taken: ReadonlyMap<string, Omit<Known, 'sandbox'>>,
): Promise<ReadonlySet<string>> {
  const { shell, setup, entries } = mirror
  const sizes = new Map<string, number>()
  let refused: ReadonlySet<string> | undefined
  try {
    const modeOf = (rel: string) => entries.get(rel)?.sandbox?.mode
    refused = await bringIn(shell, setup.place, incoming, modeOf, sizes)
    return refused
  } finally {
    mirror.stamped()
    for (const { rel, before, after } of incoming) {
      // What may not have come is not taken for there: the sandbox would seem to have removed it.
      if (refused === undefined && !sizes.has(rel)) continue
      if (refused?.has(rel)) {
        const isLost = after !== undefined && (before?.kind !== after.kind || before.kind === 'link')
        if (isLost) mirror.forget(rel)
        continue
      }
      const isMissing = after?.kind === 'file' && !sizes.has(rel)
      if (after === undefined || (before?.kind === 'directory' && after.kind !== 'directory'))
        mirror.forget(rel)
      if (after !== undefined && !isMissing) {
        const sandbox = sandboxEntry(after, sizes.get(rel) ?? 0)
        entries.set(rel, { sandbox, ...(taken.get(rel) ?? hostSide(found.entries.get(rel), undefined)) })
      }
    }
  }
}

function sandboxEntry(after: NonNullable<Incoming['after']>, size: number): SandboxEntry {
  if (after.kind === 'link') return { kind: 'link', mode: 0o777, size: 0, shown: '', target: after.target }
  return { kind: after.kind, mode: after.mode, size, shown: '' }
}

/** A file that only might have changed, for its time did, or it was looked at right after it had, is compared. */
function isStillSame(mirror: Mirror, rel: string, found: HostEntry): boolean {
  const known = mirror.entries.get(rel)
  if (known?.digest === undefined || found.kind !== 'file') return false
  if (known.host?.mode !== found.mode || known.host.size !== found.size) return false
  const file = mirror.setup.tree.read(rel)
  if (typeof file === 'string' || digestOf(file.bytes) !== known.digest) return false
  mirror.entries.set(rel, { sandbox: known.sandbox, ...hostSide(file.entry, file.bytes) })
  return true
}

function afterOf(
  mirror: Mirror,
  rel: string,
  entry: HostEntry,
  taken: Map<string, Omit<Known, 'sandbox'>>,
  left: Skipped[],
): NonNullable<Incoming['after']> {
  if (entry.kind === 'link') return { kind: 'link', target: entry.target ?? '' }
  if (entry.kind === 'directory') return { kind: 'directory', mode: entry.mode }
  const read = () => {
    const file = mirror.setup.tree.read(rel)
    if (file === 'unreadable') left.push({ path: rel, reason: 'unreadable' })
    if (file === 'changed') left.push({ path: rel, reason: 'changes while it is read' })
    if (typeof file === 'string') return undefined
    taken.set(rel, hostSide(file.entry, file.bytes))
    return file.bytes
  }
  return { kind: 'file', mode: entry.mode, size: entry.size, read }
}

/** What the host no longer has, directories without what was in them: that goes with them. */
function goneFrom(mirror: Mirror, found: HostListing, scope: Iterable<string>): string[] {
  const gone = new Set<string>()
  const unknown = new Set(found.skipped.map(({ path }) => path))
  for (const rel of scope) {
    const known = mirror.entries.get(rel)
    if (known?.host === undefined || found.entries.has(rel) || mirror.isBlocked(rel)) continue
    if (mirror.setup.ways.has(rel)) continue
    if (unknown.size > 0 && (unknown.has(rel) || isBelowOne(rel, unknown))) continue
    if (known.sandbox?.kind === 'directory' && mirror.hasPendingBelow(rel)) continue
    gone.add(rel)
  }
  return [...gone].filter((rel) => !isBelowOne(rel, gone))
}

function isBelowOne(rel: string, directories: ReadonlySet<string>): boolean {
  for (let slash = rel.lastIndexOf('/'); slash > 0; slash = rel.lastIndexOf('/', slash - 1)) {
    if (directories.has(rel.slice(0, slash))) return true
  }
  return false
}
