import { closeSync, fstatSync, mkdirSync, rmdirSync, unlinkSync } from 'node:fs'
import { systemCode } from '../service/system-code.ts'
import { readSettled } from './bytes.ts'
import { claim } from './claim.ts'
import { hold, setMode } from './descriptors.ts'
import { hostEntry, nowNanoseconds, sameContentEntry } from './entry.ts'
import { isAbsence } from './errors.ts'
import { AGAIN } from './keep.ts'
import type { Occupant, Place } from './place.ts'
import type { HostEntry } from './types.ts'

/** Makes a directory that no other user may enter yet; `false` if something exists there now. */
export function makeNew(place: Place): boolean {
  try {
    mkdirSync(place.path, 0o700)
    return true
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false
    throw error
  }
}

/** Removes the file or link that was found; `false` if there is something else now. */
export function unlinkFound(place: Place, found: Occupant): boolean {
  const claimed = claim(place, found)
  if (claimed === AGAIN) return false
  try {
    if (!place.stillHas(found)) return false
    unlinkSync(place.path)
    return true
  } catch (error) {
    const code = systemCode(error)
    if (code === 'ENOENT') return true
    if (code === 'EISDIR' || code === 'EPERM') return false
    throw error
  } finally {
    claimed[Symbol.dispose]()
  }
}

/**
 * Sets the mode of the file or directory at a place, where it differs.
 * @returns the new entry; `known` with the new mode if the host changed the content; `undefined` if there is nothing of
 *   the same kind.
 */
export function changeMode(place: Place, mode: number | undefined, known: HostEntry): HostEntry | undefined {
  const now = nowNanoseconds()
  const held = holdAt(place)
  if (held === undefined) return undefined
  try {
    const before = fstatSync(held, { bigint: true })
    if (known.kind === 'file' ? !before.isFile() : !before.isDirectory()) return undefined
    const old = Number(before.mode) & 0o7777
    if (mode !== undefined && (old & 0o777) !== mode) {
      // A directory keeps its setgid bit, so that new files get its group. A file loses setuid and setgid.
      const kept = known.kind === 'directory' ? old & 0o7000 : 0
      setMode(held, kept | mode)
    }
    const after = hostEntry(fstatSync(held, { bigint: true }), now)
    return sameContentEntry(known, after) ? after : { ...known, mode: after.mode }
  } finally {
    closeSync(held)
  }
}

/** A descriptor of what is at a place; `undefined` if there is nothing. */
function holdAt(place: Place): number | undefined {
  try {
    return hold(place.path)
  } catch (error) {
    if (isAbsence(error)) return undefined
    throw error
  }
}

/** Removes a directory; `false` if it is not empty. If there is none, the next look finds that. */
export function removeEmpty(place: Place): boolean {
  try {
    rmdirSync(place.path)
    return true
  } catch (error) {
    const code = systemCode(error)
    if (code === 'ENOTEMPTY' || code === 'EEXIST') return false
    if (code === 'ENOENT' || code === 'ENOTDIR') return true
    throw error
  }
}

/** Whether the host's file already has these bytes. */
export function sameBytes(place: Place, found: Occupant, bytes: Uint8Array): boolean {
  if (found.entry.kind !== 'file' || found.entry.size !== bytes.length) return false
  const settled = readSettled(place.path)
  return typeof settled !== 'string' && Buffer.compare(settled.bytes, bytes) === 0
}
