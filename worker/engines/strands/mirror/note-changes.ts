import type { Extent, Ledger } from '../../../host-files/ledger.ts'
import { ancestorsOf, parentOf } from '../../../host-files/paths.ts'
import type { SandboxEntry } from '../../../host-files/types.ts'
import { reasonToWithhold } from '../../../host-files/withhold.ts'
import { findOverwritten, isAsKnown, learnContents } from './compare-contents.ts'
import type { Mirror } from './mirror.ts'
import type { Reached } from './resolve-reach.ts'
import { type Look, lookAt, lookAtPlace } from './sandbox/look.ts'
import { newerThan } from './sandbox/newer.ts'

/**
 * Finds what the sandbox changed since the stamp was touched, and records it.
 *
 * @param renames - whether a file may have been moved over another one: only the times of its directory tell.
 */
export async function noteChanges(mirror: Mirror, renames: boolean): Promise<void> {
  const { shell, setup, ledger } = mirror
  const directories = ledger.sandboxDirectories()
  const look = await lookAtPlace(shell, setup.place, directories, setup.isExcluded, namesOf(ledger))
  await noteLook(mirror, look, ledger.sandboxPaths(), renames)
}

/** The same where the sandbox may have changed these paths alone, and has moved nothing. */
export async function noteChangesAt(mirror: Mirror, reached: readonly Reached[]): Promise<void> {
  if (reached.length === 0) return
  const { shell, setup, ledger } = mirror
  const rels = new Set(reached.flatMap(({ rel }) => [...unknownAbove(ledger, rel), rel]))
  const { entries, stampShown } = await lookAt(shell, setup.place, [...rels])
  const wholes = reached.flatMap(({ rel, below }) => (below ? [rel] : []))
  // The directory may have been removed and made again, with anything in it.
  if (wholes.some((rel) => entries.get(rel)?.kind === 'directory')) return noteChanges(mirror, false)
  for (const [rel, { kind }] of entries) if (setup.isExcluded(rel, kind === 'directory')) entries.delete(rel)
  const inWholes =
    wholes.length === 0
      ? []
      : ledger.sandboxPaths().filter((path) => wholes.some((rel) => path.startsWith(`${rel}/`)))
  await noteLook(mirror, { entries, stampShown }, [...rels, ...inWholes], false)
}

/** @param expected - the paths that were looked for: those that are not there were removed. */
async function noteLook(
  mirror: Mirror,
  looked: Look,
  expected: readonly string[],
  renames: boolean,
): Promise<void> {
  const { setup, ledger, stamp } = mirror
  // After the clock was set back, times tell nothing.
  const look = stamp.clockWentBack ? { ...looked, stampShown: undefined } : looked
  const changed = new Map<string, Extent>()
  const candidates: string[] = []
  for (const [rel, found] of look.entries) {
    const known = ledger.sandboxAt(rel)
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
  if (renames && look.stampShown !== undefined) {
    for (const rel of await findOverwritten(mirror, look, newer, changed)) changed.set(rel, 'all')
  }
  const removed = expected.filter((rel) => !look.entries.has(rel))
  record(ledger, look.entries, changed, removed)
  if (!setup.live) await learnContents(mirror, changed)
  const outdated = candidates.length > 0 && stamp.isOld
  if (changed.size > 0 || removed.length > 0 || look.stampShown === undefined || outdated) await stamp.touch()
}

/** The same for one path that the runtime itself wrote or removed, and for the directories made for it. */
export async function noteChangeOf({ ledger, setup, shell, stamp }: Mirror, rel: string): Promise<void> {
  const { entries: found } = await lookAt(shell, setup.place, [...unknownAbove(ledger, rel), rel])
  const changed = new Map([...found.keys()].map((path) => [path, 'all'] as const))
  record(ledger, found, changed, found.has(rel) ? [] : [rel])
  await stamp.touch()
}

/** The directories that lead to a path and are not known: they may have been made for it. */
function unknownAbove(ledger: Ledger, rel: string): string[] {
  return ancestorsOf(rel).filter((path) => ledger.sandboxAt(path) === undefined)
}

/** Tells whether a directory has exactly the names that are known. */
function namesOf(ledger: Ledger): (directory: string, names: ReadonlyMap<string, unknown>) => boolean {
  const counts = new Map<string, number>()
  for (const rel of ledger.sandboxPaths()) {
    if (rel !== '') counts.set(parentOf(rel), (counts.get(parentOf(rel)) ?? 0) + 1)
  }
  return (directory, names) => {
    if (names.size !== (counts.get(directory) ?? 0)) return false
    const prefix = directory === '' ? '' : `${directory}/`
    return [...names.keys()].every((name) => ledger.sandboxAt(prefix + name) !== undefined)
  }
}

function differenceOf(known: SandboxEntry | undefined, found: SandboxEntry): Extent | undefined {
  if (known === undefined || known.kind !== found.kind || known.size !== found.size) return 'all'
  if (known.target !== found.target) return 'all'
  return known.kind !== 'link' && known.mode !== found.mode ? 'mode' : undefined
}

/** Times are shown to the minute. An entry is unchanged if it shows its old time and not that of the stamp. */
function mayBeNewer(known: SandboxEntry, found: SandboxEntry, { stampShown }: Look): boolean {
  return (
    found.kind !== 'link' &&
    (found.shown !== known.shown || found.shown === stampShown || stampShown === undefined)
  )
}

/** Without a stamp everything counts as newer. */
async function newerOf(mirror: Mirror, candidates: readonly string[], look: Look): Promise<Set<string>> {
  if (candidates.length === 0 || look.stampShown === undefined) return new Set(candidates)
  const { place } = mirror.setup
  const byPath = new Map(candidates.map((rel) => [place.path(rel), rel]))
  const newer = await newerThan(mirror.shell, place.stamp, [...byPath.keys()])
  return new Set([...newer].map((path) => byPath.get(path) ?? ''))
}

function record(
  ledger: Ledger,
  found: ReadonlyMap<string, SandboxEntry>,
  changed: ReadonlyMap<string, Extent>,
  removed: readonly string[],
): void {
  for (const rel of removed) ledger.recordRemoved(rel)
  for (const [rel, entry] of found) {
    const extent = changed.get(rel)
    if (extent === undefined) {
      ledger.recordUnchanged(rel, entry)
      continue
    }
    ledger.recordChanged(rel, entry, extent)
    const reason = reasonToWithhold(rel, entry)
    if (reason !== undefined) ledger.withhold(rel, reason)
  }
}
