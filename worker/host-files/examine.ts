import {
  type BigIntStats,
  closeSync,
  constants,
  lstatSync,
  openSync,
  readlinkSync,
  unlinkSync,
} from 'node:fs'
import { Anchor } from './anchor.ts'
import { hostEntry, isSafeLink, skipReason } from './entry.ts'
import { isAbsence, isExhaustion } from './errors.ts'
import type { HostEntry, Skipped, SkipReason } from './types.ts'

const BIGINT = { bigint: true } as const
/** Temporary files older than this were left by a crash; nanoseconds. */
const STALE = 3_600_000_000_000n

/** What is left out of a look at a host directory. */
export interface HostTreeOptions {
  /** Whether an entry is left out with everything in it. Called for a parent before its children. */
  isExcluded(rel: string, isDirectory: boolean): boolean
  /** Bytes; larger files are skipped. 0: no limit. */
  readonly maxFileSize: number
}

/** Where an entry is. */
interface Candidate {
  readonly name: string
  readonly rel: string
  /** The path to look at. Only that something exists is taken from it. */
  readonly path: string
  /** The real path of its directory. */
  readonly directory: string
}

/**
 * What an entry is; `undefined` if it is gone or excluded.
 *
 * @param now nanoseconds since 1970, taken before the look.
 * @param probe whether to check that a directory can be listed.
 * @throws the system's error if this process ran out of descriptors or memory.
 */
export function examine(
  { name, rel, path, directory }: Candidate,
  options: HostTreeOptions,
  now: bigint,
  probe: boolean,
): HostEntry | Skipped | undefined {
  try {
    const stats = lstatSync(path, BIGINT)
    const type = Number(stats.mode) & constants.S_IFMT
    const isDirectory = type === constants.S_IFDIR
    if (options.isExcluded(rel, isDirectory)) return undefined
    if (type === constants.S_IFREG) {
      return isTooLarge(stats, options) ? { path: rel, reason: 'too large' } : hostEntry(stats, now)
    }
    if (isDirectory) {
      if (probe) closeSync(openSync(path, constants.O_DIRECTORY | constants.O_NOFOLLOW))
      return hostEntry(stats, now)
    }
    const reason = skipReason(stats)
    return reason === undefined ? examineLink(rel, name, directory, stats, now) : { path: rel, reason }
  } catch (error) {
    if (isExhaustion(error)) throw error
    return isAbsence(error) ? undefined : { path: rel, reason: 'unreadable' }
  }
}

/** Whether a file is too large to be mirrored. */
export function isTooLarge(stats: BigIntStats, { maxFileSize }: HostTreeOptions): boolean {
  return maxFileSize !== 0 && Number(stats.size) > maxFileSize
}

function examineLink(
  rel: string,
  name: string,
  directory: string,
  stats: BigIntStats,
  now: bigint,
): HostEntry | Skipped | undefined {
  const opened = Anchor.open(directory)
  if (typeof opened === 'string') return undefined
  using parent = opened
  const target = readlinkSync(parent.at(name), 'buffer')
  const text = target.toString()
  let reason: SkipReason | undefined
  if (!Buffer.from(text).equals(target)) reason = 'name is not UTF-8'
  else if (!isSafeLink(rel, text)) reason = 'link that leads out'
  return reason === undefined ? hostEntry(stats, now, text) : { path: rel, reason }
}

/** Removes a temporary file that is too old to be in use. */
export function removeIfStale(path: string, now: bigint): void {
  try {
    const stats = lstatSync(path, BIGINT)
    // A second name of an older file is as old as the link.
    const since = stats.nlink > 1n ? stats.ctimeNs : stats.mtimeNs
    if (stats.isFile() && since < now - STALE) unlinkSync(path)
  } catch {
    // Another user's file, already gone, or in a directory that is not writable: it is harmless, and never mirrored.
  }
}
