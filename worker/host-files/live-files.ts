import {
  accessSync,
  closeSync,
  constants,
  linkSync,
  mkdirSync,
  renameSync,
  rmdirSync,
  symlinkSync,
  unlinkSync,
} from 'node:fs'
import { writeAll } from './bytes.ts'
import { descriptorPath, hold, setMode, setTimes } from './descriptors.ts'
import { isSafeLink } from './entry.ts'
import { HostFileError } from './errors.ts'
import { LiveReader, openFile } from './live-reader.ts'
import { isPlainPath, isTemporaryName, nameOf } from './names.ts'
import type { Place } from './place.ts'
import { TemporaryFile } from './temporary.ts'

/** How often an operation is tried while the host changes the path. */
const MAX_TRIES = 16

/** What a write did: it made the file, or changed it. */
export type Wrote = 'added' | 'changed'

/**
 * The host's side of a bind, read and written live. A file is written whole, beside its place, and moved there in one step,
 * or appended to. It keeps its permission bits, and its owner where this process may set it. A file that has other names
 * is separated from them: they may be outside of the bind. What {@link LiveReader} leaves out is never replaced.
 */
export class LiveFiles extends LiveReader {
  #stopped = false

  /** From now on nothing is written. */
  stop(): void {
    this.#stopped = true
  }

  /** Writes a whole file. @param mode - of a new file. */
  write(rel: string, bytes: Uint8Array, mode: number): Wrote {
    this.#check(rel, false)
    return this.at(rel, (place) => {
      for (let tries = 0; tries < MAX_TRIES; tries++) {
        const stats = lookAt(place)
        using file = new TemporaryFile(place.anchor, bytes)
        if (stats === undefined) {
          file.dress(mode, undefined)
          if (file.publishNew(place)) return 'added'
          continue
        }
        checkWritable(place)
        file.dress(Number(stats.mode) & 0o777, { uid: Number(stats.uid), gid: Number(stats.gid) })
        file.replace(place)
        return 'changed'
      }
      throw new HostFileError('EBUSY')
    })
  }

  /** Appends to a file, after whatever another process appended meanwhile. @param most - bytes that the file may have. */
  append(rel: string, bytes: Uint8Array, mode: number, most: number): Wrote {
    this.#check(rel, false)
    const wrote = this.at(rel, (place): Wrote | undefined => {
      const stats = lookAt(place)
      if (stats === undefined || stats.nlink > 1n) return undefined
      const descriptor = openFile(place, constants.O_WRONLY | constants.O_APPEND)
      try {
        writeAll(descriptor, bytes)
      } finally {
        closeSync(descriptor)
      }
      return 'changed'
    })
    if (wrote !== undefined) return wrote
    const before = this.look(rel) === undefined ? new Uint8Array() : this.read(rel, most)
    return this.write(rel, Buffer.concat([before, bytes]), mode)
  }

  makeDirectory(rel: string, mode: number): void {
    this.#check(rel, true)
    this.at(rel, (place) => {
      mkdirSync(place.path, 0o700)
      onHeld(place, (held) => setMode(held, mode))
    })
  }

  /** Makes a link. @throws {HostFileError} `EPERM` for one that leads out of the bind. */
  makeLink(rel: string, target: string): void {
    this.#check(rel, false)
    if (!isSafeLink(rel, target)) throw new HostFileError('EPERM')
    this.at(rel, (place) => symlinkSync(target, place.path))
  }

  /** Gives a file a second name. */
  link(from: string, to: string): void {
    this.#check(to, false)
    if (this.look(from)?.kind !== 'file') throw new HostFileError('EPERM')
    this.at(from, (old) => this.at(to, (place) => linkSync(old.path, place.path)))
  }

  /** Removes a file, a link, or an empty directory. */
  remove(rel: string): void {
    const found = this.look(rel)
    if (found === undefined) throw new HostFileError('ENOENT')
    this.#check(rel, found.kind === 'directory')
    this.at(rel, ({ path }) => (found.kind === 'directory' ? rmdirSync(path) : unlinkSync(path)))
  }

  /**
   * Moves what is at a path, over a file or an empty directory. A directory that holds what the bind leaves out, or links
   * that would lead out at the new place, is not moved: `EPERM`.
   */
  rename(from: string, to: string): void {
    const found = this.look(from)
    if (found === undefined) throw new HostFileError('ENOENT')
    const isDirectory = found.kind === 'directory'
    this.#check(from, isDirectory)
    this.#check(to, isDirectory)
    if (found.target !== undefined && !isSafeLink(to, found.target)) throw new HostFileError('EPERM')
    if (isDirectory) this.#checkMove(from, to)
    this.at(from, (old) =>
      this.at(to, (place) => {
        if (place.lstat() !== undefined && this.look(to) === undefined) throw new HostFileError('EPERM')
        renameSync(old.path, place.path)
      }),
    )
  }

  chmod(rel: string, mode: number): void {
    this.#change(rel, (held) => setMode(held, mode))
  }

  setModified(rel: string, modified: Date): void {
    this.#change(rel, (held) => setTimes(held, modified))
  }

  #change(rel: string, act: (held: number) => void): void {
    const found = this.look(rel)
    if (found === undefined) throw new HostFileError('ENOENT')
    this.#check(rel, found.kind === 'directory')
    if (found.kind === 'link') throw new HostFileError('EPERM')
    this.at(rel, (place) => {
      const stats = lookAt(place, true)
      if (stats?.isFile() && stats.nlink > 1n) {
        this.write(rel, this.read(rel, Number.MAX_SAFE_INTEGER), found.mode)
      }
      onHeld(place, act)
    })
  }

  #check(rel: string, isDirectory: boolean): void {
    if (this.#stopped) throw new HostFileError('EIO')
    const isPlace = this.tree.kind === 'file' ? rel === '' : isPlainPath(rel)
    if (!isPlace || isTemporaryName(nameOf(rel)) || this.options.isExcluded(rel, isDirectory))
      throw new HostFileError('EPERM')
  }

  #checkMove(from: string, to: string): void {
    if (to === from || to.startsWith(`${from}/`)) throw new HostFileError('EINVAL')
    const { entries, holdsExcluded } = this.subtree(from)
    const leadsOut = [...entries].some(
      ([rel, { target }]) => target !== undefined && !isSafeLink(to + rel.slice(from.length), target),
    )
    if (leadsOut || holdsExcluded) throw new HostFileError('EPERM')
  }
}

/** What is at a place that may be written. @throws {HostFileError} if it is not a file. */
function lookAt(place: Place, orDirectory = false) {
  const stats = place.lstat()
  if (stats === undefined || stats.isFile()) return stats
  if (stats.isDirectory()) {
    if (orDirectory) return stats
    throw new HostFileError('EISDIR')
  }
  throw new HostFileError(stats.isSymbolicLink() ? 'ELOOP' : 'EPERM')
}

/** A file that may not be written is not replaced either. */
function checkWritable(place: Place): void {
  onHeld(place, (held) => accessSync(descriptorPath(held) ?? place.path, constants.W_OK))
}

function onHeld(place: Place, act: (held: number) => void): void {
  const held = hold(place.path)
  try {
    act(held)
  } finally {
    closeSync(held)
  }
}
