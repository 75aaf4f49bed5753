import { digestOf } from '../../../host-files/digest.ts'
import { isUnchanged } from '../../../host-files/entry.ts'
import { type HostSide, hostSide } from '../../../host-files/ledger.ts'
import type { HostListing } from '../../../host-files/tree.ts'
import type { HostEntry, SandboxEntry, Skipped } from '../../../host-files/types.ts'
import type { Mirror } from './mirror.ts'
import { bringIn, type Incoming } from './sandbox/writer.ts'

/**
 * Brings into the sandbox what changed on the host since the last step. Paths that the sandbox changed and the host does
 * not have yet are left alone: conflicts are decided when they are written.
 *
 * @param found - what the host has now.
 * @param scope - the known paths that were looked for: those that `found` lacks were removed from the host.
 * @returns whether the sandbox accepted everything.
 */
export async function bringHostChanges(
  mirror: Mirror,
  found: HostListing,
  scope: Iterable<string> = mirror.ledger.paths(),
): Promise<boolean> {
  const { ledger, setup } = mirror
  const left: Skipped[] = []
  const taken = new Map<string, HostSide>()
  const incoming: Incoming[] = []
  for (const [rel, entry] of found.entries) {
    if (rel === '' && entry.kind === 'directory') continue
    const known = ledger.at(rel)
    if (known?.host !== undefined && isUnchanged(known.host, entry)) continue
    if (ledger.isBlocked(rel)) continue
    const replaced = known?.sandbox?.kind === 'directory' && entry.kind !== 'directory'
    // The host's new entry would replace a directory with pending changes in it: these are written first.
    if (replaced && ledger.hasPendingBelow(rel)) continue
    if (entry.kind !== 'directory' && setup.ways.has(rel)) {
      left.push({ path: rel, reason: 'another bind lies below' })
      continue
    }
    if (isStillSame(mirror, rel, entry)) continue
    incoming.push({ rel, before: known?.sandbox, after: afterOf(mirror, rel, entry, taken, left) })
  }
  for (const rel of goneFrom(mirror, found, scope)) {
    incoming.push({ rel, before: ledger.sandboxAt(rel), after: undefined })
  }
  const refused = incoming.length === 0 ? new Set<string>() : await bring(mirror, incoming, found, taken)
  for (const path of refused) left.push({ path, reason: 'the sandbox does not take it' })
  ledger.addSkipped(left)
  return refused.size === 0
}

async function bring(
  { shell, setup, ledger, stamp }: Mirror,
  incoming: readonly Incoming[],
  found: HostListing,
  taken: ReadonlyMap<string, HostSide>,
): Promise<ReadonlySet<string>> {
  const sizes = new Map<string, number>()
  let refused: ReadonlySet<string> | undefined
  try {
    refused = await bringIn(shell, setup.place, incoming, (rel) => ledger.sandboxAt(rel)?.mode, sizes)
    return refused
  } finally {
    stamp.recordTouched()
    for (const { rel, before, after } of incoming) {
      // After a failure only written files are recorded: a missing entry would look like one that the sandbox removed.
      if (refused === undefined && !sizes.has(rel)) continue
      if (refused?.has(rel)) {
        const isLost = after !== undefined && (before?.kind !== after.kind || before.kind === 'link')
        if (isLost) ledger.forget(rel)
        continue
      }
      const isMissing = after?.kind === 'file' && !sizes.has(rel)
      if (after === undefined || (before?.kind === 'directory' && after.kind !== 'directory')) {
        ledger.forget(rel)
      }
      if (after !== undefined && !isMissing) {
        const host = taken.get(rel) ?? hostSide(found.entries.get(rel), undefined)
        ledger.recordBroughtIn(rel, sandboxEntry(after, sizes.get(rel) ?? 0), host)
      }
    }
  }
}

function sandboxEntry(after: NonNullable<Incoming['after']>, size: number): SandboxEntry {
  if (after.kind === 'link') return { kind: 'link', mode: 0o777, size: 0, shown: '', target: after.target }
  return { kind: after.kind, mode: after.mode, size, shown: '' }
}

/** Whether a file has its known content, although its times differ or do not tell. */
function isStillSame({ ledger, setup }: Mirror, rel: string, found: HostEntry): boolean {
  const known = ledger.at(rel)
  if (known?.digest === undefined || found.kind !== 'file') return false
  if (known.host?.mode !== found.mode || known.host.size !== found.size) return false
  const file = setup.tree.read(rel)
  if (typeof file === 'string' || digestOf(file.bytes) !== known.digest) return false
  ledger.recordSameContent(rel, hostSide(file.entry, file.bytes))
  return true
}

function afterOf(
  mirror: Mirror,
  rel: string,
  entry: HostEntry,
  taken: Map<string, HostSide>,
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

/** What the host no longer has. Of a removed directory: the directory, without what was in it. */
function goneFrom({ ledger, setup }: Mirror, found: HostListing, scope: Iterable<string>): string[] {
  const gone = new Set<string>()
  const unknown = new Set(found.skipped.map(({ path }) => path))
  for (const rel of scope) {
    const known = ledger.at(rel)
    if (known?.host === undefined || found.entries.has(rel) || ledger.isBlocked(rel)) continue
    if (setup.ways.has(rel)) continue
    if (unknown.size > 0 && (unknown.has(rel) || isBelowOne(rel, unknown))) continue
    if (known.sandbox?.kind === 'directory' && ledger.hasPendingBelow(rel)) continue
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
