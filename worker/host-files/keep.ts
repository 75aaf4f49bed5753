import {
  closeSync,
  constants,
  fchmodSync,
  linkSync,
  mkdirSync,
  openSync,
  renameSync,
  rmdirSync,
  unlinkSync,
} from 'node:fs'
import { systemCode } from '../service/system-code.ts'
import { readSettled, writeAll } from './bytes.ts'
import { HostWriteError } from './errors.ts'
import { conflictName } from './names.ts'
import type { Occupant, Place } from './place.ts'
import { cannotLink, removeTemporary } from './temporary.ts'

const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW
const MAX_KEPT = 10_000

/** The host changed what is at the place after the look: look again. */
export const AGAIN = Symbol('again')

/** What was kept under a conflict name. */
export interface Kept {
  /** Relative to the bind. */
  readonly path: string
  /** After a failed replacement: removes the conflict name if it is only a second name of the file. */
  undo(): void
}

/**
 * Gives the file at a place a conflict name as a second name, so that its path exists at any time. Another look has to
 * check that it is the file that was found.
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

/** Tries conflict names until one is free. `keep` returns `'gone'` if there is nothing to keep. */
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

/** Creates an empty entry under the conflict name first, because a rename would replace an existing one. */
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

/** Removes the empty entry after a failure. The error of that failure is the one to report. */
function unclaim(kept: string, isDirectory: boolean): void {
  try {
    if (isDirectory) rmdirSync(kept)
    else unlinkSync(kept)
  } catch {
    // The host replaced or removed it: nothing of ours is left.
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
      fchmodSync(descriptor, found.entry.mode)
    } finally {
      closeSync(descriptor)
    }
  } catch (error) {
    removeTemporary(kept)
    throw error
  }
  return 'twice'
}
