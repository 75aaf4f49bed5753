import { type BigIntStats, constants } from 'node:fs'
import type { HostEntry, SkipReason } from '../types.ts'

/** How long after a change another one can bear the same time, in nanoseconds: a few ticks of the slowest kernel clock. */
const FRESH = 50_000_000n
/** The same on a file system that counts time in seconds, or in pairs of them. */
const FRESH_COARSE = 2_100_000_000n
const SECOND = 1_000_000_000n

/** The time now, in nanoseconds since 1970; at most a millisecond early, never late. */
export function nowNanoseconds(): bigint {
  return BigInt(Date.now()) * 1_000_000n
}

/**
 * What the host has at a path, from an `lstat` or `fstat`.
 *
 * @param now nanoseconds since 1970, taken **before** the look. What changed later, or bears a time in the
 *   future, counts as fresh: nothing says that a further change would show.
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

/** Why what was looked at can not be mirrored by its type alone; `undefined` for files, directories and links. */
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
 * Whether nothing that matters differs between two looks at a path. A file is the same by inode, size and both times;
 * a link by its text; a directory by its mode: what it holds is compared entry by entry.
 */
export function sameEntry(a: HostEntry, b: HostEntry): boolean {
  if (a.kind === 'directory') return b.kind === 'directory' && a.mode === b.mode
  return sameContentEntry(a, b) && (a.kind === 'link' || a.changed === b.changed)
}

/**
 * Whether the content is the same: a file by inode, size and time of modification, a link by its text, a directory
 * always. A changed mode, owner or number of hard links is no change of content.
 */
export function sameContentEntry(a: HostEntry, b: HostEntry): boolean {
  if (a.kind !== b.kind) return false
  if (a.kind === 'link') return a.target === b.target
  if (a.kind === 'directory') return true
  return a.inode === b.inode && a.size === b.size && a.modified === b.modified
}

/**
 * Whether what was `found` surely is what was `known`. A file that was fresh when it became known could have changed
 * since within the same tick of the clock, so it never counts as unchanged and has to be read again.
 */
export function isUnchanged(known: HostEntry, found: HostEntry): boolean {
  return !(known.kind === 'file' && known.fresh) && sameEntry(known, found)
}
