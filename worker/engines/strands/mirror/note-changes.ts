import { digestOf } from './digest.ts'
import { isSafeLink, sameContentEntry } from './host/entry.ts'
import { isTemporaryName } from './host/names.ts'
import type { Mirror } from './mirror.ts'
import { ancestorsOf, parentOf } from './paths.ts'
import { inBatches } from './sandbox/batches.ts'
import { type Look, lookAt, lookAtPlace } from './sandbox/look.ts'
import { newerThan } from './sandbox/newer.ts'
import type { SandboxEntry } from './types.ts'

/**
 * Finds what the sandbox changed since the stamp was touched, notes it in the journal and as pending for the host.
 *
 * @param renames - whether a file may have been moved over another: that changes no time but its directory's.
 */
export async function noteChanges(mirror: Mirror, renames: boolean): Promise<void> {
  const { shell, setup } = mirror
  const areKnown = namesOf(mirror)
  const looked = await lookAtPlace(shell, setup.place, mirror.directories(), setup.isExcluded, areKnown)
  // Times tell nothing once the clock was set back.
  const look = mirror.clockWentBack ? { ...looked, stampShown: undefined } : looked
  const changed = new Map<string, 'all' | 'mode'>()
  const candidates: string[] = []
  for (const [rel, found] of look.entries) {
    const known = mirror.entries.get(rel)?.sandbox
    const difference = differenceOf(known, found)
    if (difference !== undefined) changed.set(rel, difference)
    if (difference !== 'all' && known !== undefined && mayBeNewer(known, found, look)) candidates.push(rel)
  }
  const newer = await newerOf(mirror, candidates, look)
  for (const rel of candidates) {
    const kind = look.entries.get(rel)?.kind
    if (
      kind === 'file' &&
      newer.has(rel) &&
      (look.stampShown !== undefined || !(await isAsKnown(mirror, rel)))
    ) {
      changed.set(rel, 'all')
    }
  }
  if (renames && look.stampShown !== undefined) await noteMoved(mirror, look, newer, changed)
  const removed = removedFrom(mirror, look)
  record(mirror, look.entries, changed, removed)
  if (!setup.live) await learnContents(mirror, changed)
  const outdated = candidates.length > 0 && mirror.stampIsOld
  if (changed.size > 0 || removed.length > 0 || look.stampShown === undefined || outdated) {
    await mirror.touchStamp()
  }
}

/** The same for one path that the runtime itself has written or removed, and the directories made for it. */
export async function noteChangeOf(mirror: Mirror, rel: string): Promise<void> {
  const made = ancestorsOf(rel).filter((path) => mirror.entries.get(path)?.sandbox === undefined)
  const found = await lookAt(mirror.shell, mirror.setup.place, [...made, rel])
  const changed = new Map([...found.keys()].map((path) => [path, 'all'] as const))
  const known = mirror.entries.get(rel)?.sandbox
  const removed = found.has(rel) || known === undefined ? [] : [rel]
  record(mirror, found, changed, removed)
  await mirror.touchStamp()
}

/** Tells whether a directory has exactly the names that are known. */
function namesOf({ entries }: Mirror): (directory: string, names: ReadonlyMap<string, unknown>) => boolean {
  const counts = new Map<string, number>()
  for (const [rel, { sandbox }] of entries) {
    if (sandbox !== undefined && rel !== '') counts.set(parentOf(rel), (counts.get(parentOf(rel)) ?? 0) + 1)
  }
  return (directory, names) => {
    if (names.size !== (counts.get(directory) ?? 0)) return false
    const prefix = directory === '' ? '' : `${directory}/`
    return [...names.keys()].every((name) => entries.get(prefix + name)?.sandbox !== undefined)
  }
}

function differenceOf(known: SandboxEntry | undefined, found: SandboxEntry): 'all' | 'mode' | undefined {
  if (known === undefined || known.kind !== found.kind || known.size !== found.size) return 'all'
  if (known.target !== found.target) return 'all'
  return known.kind !== 'link' && known.mode !== found.mode ? 'mode' : undefined
}

/** Times are shown to the minute: what shows neither another one than before nor that of the stamp is unchanged. */
function mayBeNewer(known: SandboxEntry, found: SandboxEntry, { stampShown }: Look): boolean {
  return (
    found.kind !== 'link' &&
    (found.shown !== known.shown || found.shown === stampShown || stampShown === undefined)
  )
}

/** Without a stamp nothing is known of times: everything counts as newer. */
async function newerOf(mirror: Mirror, candidates: readonly string[], look: Look): Promise<Set<string>> {
  if (candidates.length === 0 || look.stampShown === undefined) return new Set(candidates)
  const { place } = mirror.setup
  const byPath = new Map(candidates.map((rel) => [place.path(rel), rel]))
  const newer = await newerThan(mirror.shell, place.stamp, [...byPath.keys()])
  return new Set([...newer].map((path) => byPath.get(path) ?? ''))
}

/**
 * A file moved onto another of its size keeps its time, and a directory moved to the place of another keeps those of
 * all in it: below directories that changed, contents are compared.
 */
async function noteMoved(
  mirror: Mirror,
  look: Look,
  newer: ReadonlySet<string>,
  changed: Map<string, 'all' | 'mode'>,
): Promise<void> {
  const isRootNewer = mirror.setup.place.isFile || (await hasChangedRoot(mirror))
  const suspects = [...look.entries].filter(
    ([rel, { kind }]) =>
      kind === 'file' &&
      changed.get(rel) !== 'all' &&
      (isRootNewer || ancestorsOf(rel).some((above) => newer.has(above))),
  )
  await inBatches(
    suspects,
    ([, { size }]) => size,
    async ([rel]) => {
      if (!(await isAsKnown(mirror, rel))) changed.set(rel, 'all')
    },
  )
}

/** Whether entries of the root came or went. */
async function hasChangedRoot({ shell, setup: { place } }: Mirror): Promise<boolean> {
  return (await newerThan(shell, place.stamp, [place.root])).has(place.root)
}

/** Whether the sandbox's file still is what it was known to be; `false` where that cannot be told. */
async function isAsKnown(mirror: Mirror, rel: string): Promise<boolean> {
  const { content, host } = mirror.entries.get(rel) ?? {}
  if (content !== undefined) return digestOf(await mirror.shell.readFile(mirror.path(rel))) === content
  if (host === undefined || mirror.pending.get(rel) === 'all') return false
  const file = mirror.setup.tree.read(rel)
  if (typeof file === 'string' || !sameContentEntry(file.entry, host)) return false
  return Buffer.compare(file.bytes, await mirror.shell.readFile(mirror.path(rel))) === 0
}

/** The contents of changed files of a copy, which nothing else reads: so that a later look can tell them. */
async function learnContents(mirror: Mirror, changed: ReadonlyMap<string, 'all' | 'mode'>): Promise<void> {
  const rels = [...changed].flatMap(([rel, change]) => {
    return change === 'all' && mirror.entries.get(rel)?.sandbox?.kind === 'file' ? [rel] : []
  })
  const sizeOf = (rel: string) => mirror.entries.get(rel)?.sandbox?.size ?? 0
  await inBatches(rels, sizeOf, async (rel) => {
    const content = digestOf(await mirror.shell.readFile(mirror.path(rel)))
    const known = mirror.entries.get(rel)
    if (known !== undefined) mirror.entries.set(rel, { ...known, content })
  })
}

function removedFrom(mirror: Mirror, look: Look): string[] {
  const removed: string[] = []
  for (const [rel, { sandbox }] of mirror.entries) {
    if (sandbox !== undefined && !look.entries.has(rel)) removed.push(rel)
  }
  return removed
}

function record(
  mirror: Mirror,
  found: ReadonlyMap<string, SandboxEntry>,
  changed: ReadonlyMap<string, 'all' | 'mode'>,
  removed: readonly string[],
): void {
  const { entries, pending, journal, held } = mirror
  for (const rel of removed) {
    const known = entries.get(rel)
    if (known?.sandbox === undefined) continue
    journal.add(mirror.path(rel), known.sandbox.kind, 'removed')
    held.delete(rel)
    if (known.host === undefined) {
      entries.delete(rel)
      pending.delete(rel)
    } else {
      entries.set(rel, { ...known, sandbox: undefined })
      pending.set(rel, 'all')
    }
  }
  for (const [rel, entry] of found) {
    const known = entries.get(rel)
    const change = changed.get(rel)
    const { content, ...rest } = known ?? { host: undefined }
    const isContentKnown = change !== 'all' && content !== undefined
    entries.set(rel, { ...rest, sandbox: entry, ...(isContentKnown ? { content } : {}) })
    if (change === undefined) continue
    journal.add(mirror.path(rel), entry.kind, known?.sandbox === undefined ? 'added' : 'changed')
    const reason = heldReason(rel, entry)
    if (reason !== undefined) {
      held.set(rel, reason)
      pending.delete(rel)
      continue
    }
    held.delete(rel)
    pending.set(rel, pending.get(rel) === 'all' ? 'all' : change)
  }
}

/** Why an entry stays in the sandbox, if it does. */
function heldReason(rel: string, { kind, target = '' }: SandboxEntry): string | undefined {
  if (kind === 'link' && !isSafeLink(rel, target)) return 'link that leads out'
  return rel.split('/').some(isTemporaryName) ? 'name kept for temporary files' : undefined
}
