import { renameSync, symlinkSync } from 'node:fs'
import { systemCode } from '../service/system-code.ts'
import { removeEmpty } from './acts.ts'
import { claim } from './claim.ts'
import { hostEntry, nowNanoseconds, sameContentEntry } from './entry.ts'
import { HostWriteError } from './errors.ts'
import { AGAIN, keepBeside, moveAside } from './keep.ts'
import { temporaryName } from './names.ts'
import type { Occupant, Place } from './place.ts'
import { removeTemporary, TemporaryFile } from './temporary.ts'
import type { Conflict, HostEntry } from './types.ts'

/** How often an operation is tried while the host changes the path. */
export const MAX_TRIES = 16

/** What an operation left on the host. */
export interface Written {
  /** What is known to be at the path now; absent if nothing is, or something unknown. */
  readonly entry: HostEntry | undefined
  /** The host had changed the path too. */
  readonly conflict?: Conflict
}

/** A file or link to be put at a place. */
interface Item {
  /** Does all the work before the others, so that each of them is a single step. */
  prepare(found: Occupant | undefined): void
  /** Appears at an empty place; `false` if something exists there now. */
  publishNew(place: Place): boolean
  /** Replaces a file or link. */
  replace(place: Place): void
}

/** Puts a file at a place. If the host changed the path, keeps both versions. */
export function putFile(
  place: Place,
  bytes: Uint8Array,
  mode: number | undefined,
  expected: HostEntry | undefined,
): Written {
  using file = new TemporaryFile(place.anchor, bytes)
  const known = expected?.kind === 'file' ? expected.mode : 0o644
  const conflict = put(place, expected, {
    prepare: (found) => {
      const old = found?.entry.kind === 'file' ? found : undefined
      file.dress(mode ?? old?.entry.mode ?? known, old?.owner)
    },
    publishNew: (at) => file.publishNew(at),
    replace: (at) => file.replace(at),
  })
  return { entry: file.entry(), ...conflict }
}

/** Puts a link at a place by the same rules. */
export function putLink(place: Place, target: string, expected: HostEntry | undefined): Written {
  const temporary = place.anchor.at(temporaryName())
  let hasName = false
  try {
    const conflict = put(place, expected, {
      prepare: (found) => {
        if (found === undefined || hasName) return
        symlinkSync(target, temporary)
        hasName = true
      },
      publishNew: (at) => tryLink(target, at.path),
      replace: (at) => {
        renameSync(temporary, at.path)
        hasName = false
      },
    })
    return { entry: linkEntry(place, target), ...conflict }
  } finally {
    if (hasName) removeTemporary(temporary)
  }
}

/** The entry of the new link. If the host replaced it since, the next look finds a change. */
export function linkEntry(place: Place, target: string): HostEntry {
  const now = nowNanoseconds()
  const stats = place.lstat()
  if (stats?.isSymbolicLink()) return hostEntry(stats, now, target)
  return { kind: 'link', mode: 0o777, size: 0, inode: 0n, modified: 0n, changed: 0n, target, fresh: true }
}

function tryLink(target: string, path: string): boolean {
  try {
    symlinkSync(target, path)
    return true
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false
    throw error
  }
}

function put(place: Place, expected: HostEntry | undefined, item: Item): Pick<Written, 'conflict'> {
  let conflict: Conflict | undefined
  let isCleared = false
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const found = place.look(expected?.target)
    if (found === undefined) {
      // The host removed a directory: no content is lost, so this is not a conflict.
      if (!isCleared && expected !== undefined && expected.kind !== 'directory')
        conflict ??= { path: place.rel }
      item.prepare(found)
      if (item.publishNew(place)) return conflict === undefined ? {} : { conflict }
      continue
    }
    const isKnown = expected !== undefined && sameContentEntry(expected, found.entry)
    if (found.entry.kind === 'directory') {
      if (isKnown && removeEmpty(place)) isCleared = true
      else {
        const kept = moveAside(place, found)
        if (kept === AGAIN) continue
        isCleared = true
        conflict = { path: place.rel, kept: kept.path }
      }
      continue
    }
    item.prepare(found)
    const kept = isKnown ? undefined : keepBeside(place, found)
    if (kept === AGAIN) continue
    const claimed = claim(place, found)
    if (claimed === AGAIN) {
      kept?.undo()
      continue
    }
    try {
      if (!place.stillHas(found)) {
        kept?.undo()
        continue
      }
      item.replace(place)
      if (kept !== undefined) conflict = { path: place.rel, kept: kept.path }
      return conflict === undefined ? {} : { conflict }
    } catch (error) {
      kept?.undo()
      // The host put a directory there: look again.
      if (systemCode(error) !== 'EISDIR') throw error
    } finally {
      claimed[Symbol.dispose]()
    }
  }
  throw new HostWriteError(place.rel, 'EBUSY')
}
