import { basename, dirname } from 'node:path'
import { systemCode } from '../service/system-code.ts'
import { changeMode, makeNew, removeEmpty, sameBytes, unlinkFound } from './acts.ts'
import { Anchors } from './anchor.ts'
import { isSafeLink, sameContentEntry } from './entry.ts'
import { HostGoneError, HostRefusedError, HostWriteError } from './errors.ts'
import { AGAIN, moveAside } from './keep.ts'
import { isPlainPath, isTemporaryName, nameOf } from './names.ts'
import { parentOf } from './paths.ts'
import { Place } from './place.ts'
import { linkEntry, MAX_TRIES, putFile, putLink, type Written } from './put.ts'
import type { HostTree } from './tree.ts'
import type { HostEntry } from './types.ts'

export type { Written } from './put.ts'

/** What the host is known to have at a path; `undefined`: nothing. */
interface Expectation {
  readonly expected: HostEntry | undefined
}

/** The same, and the new permission bits; absent: those it has, or the default for a new entry. */
interface ExpectationAndMode extends Expectation {
  readonly mode?: number
}

const NEW_DIRECTORY = 0o755

/**
 * Writes to the host's side of a bind. There is one for each flush, and it is closed when the flush ends.
 *
 * Every file is replaced in one step. Links are never followed, and nothing outside the bind is changed. If the host
 * changed a path meanwhile, its version is kept beside it under a conflict name; only a version that the host writes
 * between the last look and the next system call is lost. Missing parents are made. A replaced file loses its other hard
 * links, access lists and extended attributes, and its owner if this user must not set it. A source that is a file is
 * replaced through a temporary file beside it, and its conflict names are beside it too.
 *
 * @throws every operation throws {HostRefusedError} when the host has something at the path that is never replaced,
 *   {HostGoneError} when the source of the bind is gone, {HostWriteError} for anything the system refuses.
 */
export class HostWriter implements Disposable {
  readonly #tree: Pick<HostTree, 'source' | 'kind' | 'pathOf'>
  readonly #anchors = new Anchors()

  constructor(tree: Pick<HostTree, 'source' | 'kind' | 'pathOf'>) {
    this.#tree = tree
  }

  /** Writes a whole file. If the host's file already has these bytes, only `mode` is set: this is not a conflict. */
  writeFile(rel: string, bytes: Uint8Array, { mode, expected }: ExpectationAndMode): Written {
    return this.#run(rel, () => {
      this.#check(rel, 'file')
      const { place, conflict } = this.#reach(rel)
      const found = place.look(expected?.target)
      const isForeign = found !== undefined && !(expected && sameContentEntry(expected, found.entry))
      if (isForeign && sameBytes(place, found, bytes)) {
        const entry = changeMode(place, mode, found.entry)
        if (entry !== undefined) return { entry }
      }
      return { ...conflict, ...putFile(place, bytes, mode, expected) }
    })
  }

  /** Makes a link. Rejects one that leads out of the bind. */
  makeLink(rel: string, target: string, { expected }: Expectation): Written {
    return this.#run(rel, () => {
      this.#check(rel, 'never')
      if (!isSafeLink(rel, target)) throw new HostRefusedError(rel, 'it is a link that leads out')
      const { place, conflict } = this.#reach(rel)
      if (place.isLink(target)) return { entry: linkEntry(place, target) }
      return { ...conflict, ...putLink(place, target, expected) }
    })
  }

  /** Makes a directory. If there is one, only `mode` is set. */
  makeDirectory(rel: string, { mode, expected }: ExpectationAndMode): Written {
    return this.#run(rel, () => {
      this.#check(rel, 'directory')
      return this.#makeDirectory(rel, mode, expected)
    })
  }

  /**
   * Removes what was expected. If the host changed it meanwhile, it is moved to a conflict name instead. A directory that
   * is not empty stays, and so does anything where nothing was expected: `entry` is then what is there.
   */
  remove(rel: string, { expected }: Expectation): Written {
    return this.#run(rel, () => {
      this.#check(rel, 'file')
      const place = this.#find(rel)
      for (let tries = 0; tries < MAX_TRIES; tries++) {
        const found = place?.look(expected?.target)
        if (place === undefined || found === undefined) return { entry: undefined }
        if (expected === undefined) return { entry: found.entry }
        if (!sameContentEntry(expected, found.entry)) {
          const kept = moveAside(place, found)
          if (kept !== AGAIN) return { entry: undefined, conflict: { path: rel, kept: kept.path } }
        } else if (found.entry.kind === 'directory') {
          if (!removeEmpty(place)) return { entry: found.entry }
        } else if (unlinkFound(place, found)) {
          return { entry: undefined }
        }
      }
      throw new HostWriteError(rel, 'EBUSY')
    })
  }

  /**
   * Sets the permission bits of a file or directory, also if the host changed its content: `entry` is then still what was
   * expected, so that the next look finds the change. It is absent if there is nothing of the expected kind.
   */
  chmod(rel: string, mode: number, { expected }: Expectation): Written {
    return this.#run(rel, () => {
      this.#check(rel, this.#tree.kind)
      const place = this.#find(rel)
      const found = place?.look(expected?.target)
      if (place === undefined || expected === undefined || found?.entry.kind !== expected.kind) {
        return { entry: undefined }
      }
      return { entry: expected.kind === 'link' ? found.entry : changeMode(place, mode, expected) }
    })
  }

  /** Closes every descriptor. */
  close(): void {
    this.#anchors[Symbol.dispose]()
  }

  [Symbol.dispose](): void {
    this.close()
  }

  #makeDirectory(rel: string, mode: number | undefined, expected: HostEntry | undefined): Written {
    const { place, conflict: above } = this.#reach(rel)
    let conflict = above
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const found = place.look(expected?.target)
      if (found?.entry.kind === 'directory') {
        const entry = changeMode(place, mode, found.entry)
        if (entry !== undefined) return { entry, ...conflict }
      } else if (found === undefined) {
        // The next turn of the loop finds it and sets its mode.
        if (makeNew(place)) mode ??= expected?.kind === 'directory' ? expected.mode : NEW_DIRECTORY
      } else if (expected !== undefined && sameContentEntry(expected, found.entry)) {
        unlinkFound(place, found)
      } else {
        const kept = moveAside(place, found)
        if (kept !== AGAIN) conflict = { conflict: { path: rel, kept: kept.path } }
      }
    }
    throw new HostWriteError(rel, 'EBUSY')
  }

  /** The place of `rel`. Makes missing parents. */
  #reach(rel: string): { place: Place; conflict?: Pick<Written, 'conflict'> } {
    const place = this.#find(rel)
    if (place !== undefined) return { place }
    const made = this.#makeDirectory(parentOf(rel), undefined, undefined)
    const again = this.#find(rel)
    if (again === undefined) throw new HostRefusedError(rel, 'its directory is being moved')
    return made.conflict === undefined
      ? { place: again }
      : { place: again, conflict: { conflict: made.conflict } }
  }

  /** The place of `rel`; `undefined` if its parent is not a real directory. */
  #find(rel: string): Place | undefined {
    const { source, kind } = this.#tree
    const parent = kind === 'file' ? dirname(source) : this.#tree.pathOf(parentOf(rel))
    const anchor = this.#anchors.get(parent)
    if (typeof anchor === 'string') {
      if (parentOf(rel) === '') throw new HostGoneError(source)
      return undefined
    }
    if (kind === 'file') return new Place(rel, anchor, basename(source))
    return new Place(rel, anchor, rel === '' ? '.' : nameOf(rel))
  }

  /** Rejects paths outside this bind, and its root unless it is of the kind `root`. */
  #check(rel: string, root: HostTree['kind'] | 'never'): void {
    const refuse = (reason: string) => new HostRefusedError(rel, reason)
    if (!isPlainPath(rel)) throw refuse('it is no path inside the bind')
    if (isTemporaryName(nameOf(rel))) throw refuse('names like it are kept for temporary files')
    if (this.#tree.kind === 'file' && rel !== '') throw refuse('the bind is a single file')
    if (rel === '' && root !== this.#tree.kind) throw refuse('it is the root of the bind')
  }

  /** Runs an operation. A system error becomes a {@link HostWriteError} with the path and the code. */
  #run(rel: string, operation: () => Written): Written {
    try {
      return operation()
    } catch (error) {
      const code = systemCode(error)
      if (error instanceof HostWriteError || code === undefined) throw error
      throw new HostWriteError(rel, code, { cause: error })
    }
  }
}
