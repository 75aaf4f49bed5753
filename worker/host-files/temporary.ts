import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  linkSync,
  openSync,
  renameSync,
  unlinkSync,
} from 'node:fs'
import { systemCode } from '../service/system-code.ts'
import type { Anchor } from './anchor.ts'
import { writeAll } from './bytes.ts'
import { holdOpen, setMode, setOwner } from './descriptors.ts'
import { hostEntry, nowNanoseconds } from './entry.ts'

import { temporaryName } from './names.ts'
import type { Owner, Place } from './place.ts'
import type { HostEntry } from './types.ts'

const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW
/** The mode of a new file: no other user can read it before it gets its final mode. */
const PRIVATE = 0o600
const BIGINT = { bigint: true } as const
/** The errors of `link` where a file system has no hard links, or this user must not make any. */
const NO_LINKS = new Set(['EPERM', 'EACCES', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EXDEV', 'EINVAL'])

/** Whether `link` failed because hard links are not possible, and not because of its two paths. */
export function cannotLink(error: unknown): boolean {
  return NO_LINKS.has(systemCode(error) ?? '')
}

/** A file that is written under a temporary name, and then renamed or linked to its place in one step. */
export class TemporaryFile implements Disposable {
  readonly #path: string
  /** A descriptor of the file, whatever its name is. */
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
        held = holdOpen(descriptor, this.#path)
        writeAll(descriptor, bytes)
      } finally {
        // Some file systems report a full disk only here.
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

  /** Sets the mode and, if this user may, the owner of the file, before it gets its name. */
  dress(mode: number, owner: Owner | undefined): void {
    const { uid, gid } = this.#written
    if (owner !== undefined && (owner.uid !== Number(uid) || owner.gid !== Number(gid))) {
      // Only root may change the owner; others may set a group they are in. A failure is accepted: the content matters.
      if (!tryOwner(this.#held, owner)) tryOwner(this.#held, { uid: Number(uid), gid: owner.gid })
    }
    if (mode !== PRIVATE || owner !== undefined) setMode(this.#held, mode)
  }

  /** Appears at an empty place. Where links work, it never replaces an entry that exists there now: `false`. */
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

  /** Replaces the file or link at a place. */
  replace(place: Place): void {
    renameSync(this.#path, place.path)
    this.#hasName = false
  }

  /** The entry of what was written. Later changes of the host are not in it, so that the next look finds them. */
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

function tryOwner(descriptor: number, { uid, gid }: Owner): boolean {
  try {
    setOwner(descriptor, uid, gid)
    return true
  } catch (error) {
    if (systemCode(error) === 'EPERM' || systemCode(error) === 'EINVAL') return false
    throw error
  }
}

/** Removes a temporary file after a failure. The error of that failure is the one to report. */
export function removeTemporary(path: string): void {
  try {
    unlinkSync(path)
  } catch {
    // Already gone, or not removable now: scans leave it out, and remove it after an hour.
  }
}
