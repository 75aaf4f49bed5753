import { type BigIntStats, constants } from 'node:fs'
import type { HostEntry, SkipReason } from './types.ts'

/** How long after a change another one can have the same time, in nanoseconds: a few ticks of the slowest kernel clock. */
const FRESH = 50_000_000n
/** The same on a file system with a resolution of one or two seconds. */
const FRESH_COARSE = 2_100_000_000n
const SECOND = 1_000_000_000n

/** The time now, in nanoseconds since 1970; at most a millisecond early, never late. */
export function nowNanoseconds(): bigint {
  return BigInt(Date.now()) * 1_000_000n
}

/**
 * What the host has at a path, from an `lstat` or `fstat`.
 *
 * @param now nanoseconds since 1970, taken **before** the look. An entry that changed later, or has a time in the future,
 *   is fresh: a further change might not show.
 * @param target the text of a link.
 */
export function hostEntry(stats: BigIntStats, now: bigint, target?: string): HostEntry {
  const mode = Number(stats.mode)
  const type = mode & constants.S_IFMT
  const kind = type === constants.S_IFREG ? 'file' : type === constants.S_IFDIR ? 'directory' : 'link'
  const entry = {
    kind,
    mode: mode & 0o777,
    size: kind === 'file' ? Number(stats.size) : 0,
    inode: stats.ino,
    modified: stats.mtimeNs,
    changed: stats.ctimeNs,
    fresh: isFresh(stats.ctimeNs, now),
  } as const
  return target === undefined ? entry : { ...entry, target }
}

function isFresh(changed: bigint, now: bigint): boolean {
  if (changed <= now - FRESH_COARSE) return false
  return changed > now - FRESH || changed % SECOND === 0n
}

/** Why an entry of this type cannot be mirrored; `undefined` for files, directories and links. */
export function skipReason(stats: BigIntStats): SkipReason | undefined {
  switch (Number(stats.mode) & constants.S_IFMT) {
    case constants.S_IFREG:
    case constants.S_IFDIR:
    case constants.S_IFLNK:
      return undefined
    case constants.S_IFIFO:
      return 'FIFO'
    case constants.S_IFSOCK:
      return 'socket'
    default:
      return 'device'
  }
}

/**
 * Whether a link at `rel` with the text `target` stays inside the bind wherever it is followed: relative, first any
 * number of `..` up to the depth of the link's own directory, then names only.
 */
export function isSafeLink(rel: string, target: string): boolean {
  if (target === '' || target.includes('\0')) return false
  if (target.startsWith('/')) return false
  const parts = target.split('/').filter((part) => part !== '' && part !== '.')
  const up = parts.findIndex((part) => part !== '..')
  const ups = up === -1 ? parts.length : up
  const depth = rel.split('/').length - 1
  return ups <= depth && !parts.includes('..', ups)
}

/**
 * Whether two looks at a path found the same. Files are compared by inode, size and both times, links by their text, and
 * directories by their mode: their entries are compared one by one.
 */
export function sameEntry(a: HostEntry, b: HostEntry): boolean {
  if (a.kind === 'directory') return b.kind === 'directory' && a.mode === b.mode
  return sameContentEntry(a, b) && (a.kind === 'link' || a.changed === b.changed)
}

/**
 * Whether the content is the same: of files by inode, size and time of modification, of links by their text, of
 * directories always. A new mode, owner or hard link is not a change of content.
 */
export function sameContentEntry(a: HostEntry, b: HostEntry): boolean {
  if (a.kind !== b.kind) return false
  if (a.kind === 'link') return a.target === b.target
  if (a.kind === 'directory') return true
  return a.inode === b.inode && a.size === b.size && a.modified === b.modified
}

/**
 * Whether `found` is certainly the same as `known`. A file that was fresh at the earlier look may have changed since
 * within the same tick of the clock. It never counts as unchanged, and has to be read again.
 */
export function isUnchanged(known: HostEntry, found: HostEntry): boolean {
  return !(known.kind === 'file' && known.fresh) && sameEntry(known, found)
}
