import {
  chmodSync,
  closeSync,
  constants,
  linkSync,
  mkdirSync,
  openSync,
  renameSync,
  rmdirSync,
  unlinkSync,
} from 'node:fs'
import { readSettled, writeAll } from './bytes.ts'
import { HostWriteError, systemCode } from './errors.ts'
import { conflictName } from './names.ts'
import type { Occupant, Place } from './place.ts'
import { cannotLink, removeTemporary } from './temporary.ts'

const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW
const MAX_KEPT = 10_000

/** The host changed what is at the place between the look and the act: another look is due. */
export const AGAIN = Symbol('again')

/** What was kept under a conflict name. */
export interface Kept {
  /** Relative to the bind. */
  readonly path: string
  /** Gives the conflict name up again where it only is a second one, after what it was made for has failed. */
  undo(): void
}

/**
 * Keeps the file at a place under a conflict name too: its path is never absent meanwhile. Whether it was the one that
 * was found shows in another look.
 */
export function keepBeside(place: Place, found: Occupant): Kept | typeof AGAIN {
  return eachFreeName(place, (kept) => {
    try {
      linkSync(place.path, kept)
    } catch (error) {
      if (!cannotLink(error)) throw error
      return copyTo(place, found, kept)
    }
    return 'twice'
  })
}

/** Moves the file or directory at a place to a conflict name in one step. */
export function moveAside(place: Place, found: Occupant): Kept | typeof AGAIN {
  return eachFreeName(place, (kept) => moveTo(place, found, kept))
}

/** Tries conflict names until `keep` does not find its own taken; it answers `'gone'` when nothing was there to keep. */
function eachFreeName(place: Place, keep: (kept: string) => 'twice' | 'moved' | 'gone'): Kept | typeof AGAIN {
  for (let number = 1; number <= MAX_KEPT; number++) {
    const name = conflictName(place.name, number)
    try {
      const kept = place.anchor.at(name)
      const how = keep(kept)
      if (how === 'gone') return AGAIN
      return { path: place.beside(name), undo: () => how === 'twice' && removeTemporary(kept) }
    } catch (error) {
      const code = systemCode(error)
      if (code === 'ENOENT') return AGAIN
      if (code !== 'EEXIST' && code !== 'ENOTEMPTY') throw error
    }
  }
  throw new HostWriteError(place.rel, 'EEXIST')
}

/** Claims the name with something of the same type first, since a rename would replace what has the name. */
function moveTo(place: Place, found: Occupant, kept: string): 'moved' | 'gone' {
  const isDirectory = found.entry.kind === 'directory'
  if (isDirectory) mkdirSync(kept, 0o700)
  else closeSync(openSync(kept, CREATE, 0o600))
  try {
    renameSync(place.path, kept)
    return 'moved'
  } catch (error) {
    unclaim(kept, isDirectory)
    const code = systemCode(error)
    if (code === 'ENOENT' || code === 'EISDIR' || code === 'ENOTDIR') return 'gone'
    throw error
  }
}

/** Gives a claimed name up after a failure, whose own error is the one to report. */
function unclaim(kept: string, isDirectory: boolean): void {
  try {
    if (isDirectory) rmdirSync(kept)
    else unlinkSync(kept)
  } catch {
    // Something else has come there, or is there no more: it is not ours to remove.
  }
}

function copyTo(place: Place, found: Occupant, kept: string): 'twice' | 'gone' {
  const settled = readSettled(place.path)
  if (settled === 'unreadable') throw new HostWriteError(place.rel, 'EACCES')
  if (settled === 'changed' || settled.stats.ino !== found.entry.inode) return 'gone'
  const descriptor = openSync(kept, CREATE, 0o600)
  try {
    try {
      writeAll(descriptor, settled.bytes)
      chmodSync(`/proc/self/fd/${descriptor}`, found.entry.mode)
    } finally {
      closeSync(descriptor)
    }
  } catch (error) {
    removeTemporary(kept)
    throw error
  }
  return 'twice'
}
