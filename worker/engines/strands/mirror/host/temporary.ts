import {
  type BigIntStats,
  chmodSync,
  chownSync,
  closeSync,
  constants,
  fstatSync,
  linkSync,
  openSync,
  renameSync,
  unlinkSync,
} from 'node:fs'
import type { HostEntry } from '../types.ts'
import { type Anchor, O_PATH } from './anchor.ts'
import { writeAll } from './bytes.ts'
import { hostEntry, nowNanoseconds } from './entry.ts'
import { systemCode } from './errors.ts'
import { temporaryName } from './names.ts'
import type { Owner, Place } from './place.ts'

const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW
/** What a file is created with: nobody else reads it before it has the mode it should have. */
const PRIVATE = 0o600
const BIGINT = { bigint: true } as const
/** What `link` answers where a file system has no hard links, or this user may make none. */
const NO_LINKS = new Set(['EPERM', 'EACCES', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EXDEV', 'EINVAL'])

/** Whether `link` failed because there can be no hard link, not because of what is at its two ends. */
export function cannotLink(error: unknown): boolean {
  return NO_LINKS.has(systemCode(error) ?? '')
}

/** A file written whole under a name of its own, which then takes its place in one step. */
export class TemporaryFile implements Disposable {
  readonly #path: string
  /** Stands for the file itself, under whatever name; the bytes are written and closed by then. */
  readonly #held: number
  readonly #written: BigIntStats
  #hasName = true

  /** @throws the system's error; no temporary file is then left. */
  constructor(anchor: Anchor, bytes: Uint8Array) {
    this.#path = anchor.at(temporaryName())
    const descriptor = openSync(this.#path, CREATE, PRIVATE)
    let held: number | undefined
    try {
      try {
        held = openSync(`/proc/self/fd/${descriptor}`, O_PATH)
        writeAll(descriptor, bytes)
      } finally {
        // Some file systems say only now that the disk is full.
        closeSync(descriptor)
      }
      this.#written = fstatSync(held, BIGINT)
      this.#held = held
    } catch (error) {
      if (held !== undefined) closeSync(held)
      removeTemporary(this.#path)
      throw error
    }
  }

  /** Gives the file its mode and, as far as this user may, its owner; before it takes its place. */
  dress(mode: number, owner: Owner | undefined): void {
    const path = `/proc/self/fd/${this.#held}`
    const { uid, gid } = this.#written
    if (owner !== undefined && (owner.uid !== Number(uid) || owner.gid !== Number(gid))) {
      // Only root may give a file away, and others only to a group they are in: the content matters more.
      if (!tryOwner(path, owner)) tryOwner(path, { uid: Number(uid), gid: owner.gid })
    }
    if (mode !== PRIVATE || owner !== undefined) chmodSync(path, mode)
  }

  /** Takes a place where nothing is. Where links work, what came meanwhile is never replaced: `false`. */
  publishNew(place: Place): boolean {
    try {
      linkSync(this.#path, place.path)
    } catch (error) {
      if (systemCode(error) === 'EEXIST') return false
      if (!cannotLink(error)) throw error
      this.replace(place)
      return true
    }
    unlinkSync(this.#path)
    this.#hasName = false
    return true
  }

  /** Takes the place of the file or link that is there. */
  replace(place: Place): void {
    renameSync(this.#path, place.path)
    this.#hasName = false
  }

  /** The entry of what was written. What the host did to it since is not in it, so that it shows as a change. */
  entry(): HostEntry {
    const now = nowNanoseconds()
    const stats = fstatSync(this.#held, BIGINT)
    const isOurs = stats.size === this.#written.size && stats.mtimeNs === this.#written.mtimeNs
    return hostEntry(isOurs ? stats : this.#written, now)
  }

  [Symbol.dispose](): void {
    closeSync(this.#held)
    if (this.#hasName) removeTemporary(this.#path)
  }
}

function tryOwner(path: string, { uid, gid }: Owner): boolean {
  try {
    chownSync(path, uid, gid)
    return true
  } catch (error) {
    if (systemCode(error) === 'EPERM' || systemCode(error) === 'EINVAL') return false
    throw error
  }
}

/** Removes a temporary file after a failure, whose own error is the one to report. */
export function removeTemporary(path: string): void {
  try {
    unlinkSync(path)
  } catch {
    // Gone, or not to be removed now: scans do not show it, and remove it in an hour.
  }
}
