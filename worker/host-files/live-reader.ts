import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { Anchor } from './anchor.ts'
import { descriptorPath, hold } from './descriptors.ts'
import { readNames } from './directory-names.ts'
import { nowNanoseconds } from './entry.ts'
import { HostFileError, HostGoneError } from './errors.ts'
import { examine, type HostTreeOptions, removeIfStale } from './examine.ts'
import { childOf, isTemporaryName, nameOf } from './names.ts'
import { parentOf } from './paths.ts'
import { Place } from './place.ts'
import { HostTree } from './tree.ts'
import type { HostEntry } from './types.ts'

const { O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants
const CHUNK = 1024 * 1024

/**
 * The host's side of a bind, read as it is now. What a bind leaves out does not exist here: excluded paths, sockets, FIFOs,
 * devices, links that lead out, and what cannot be read. No link is followed, at any component of a path.
 *
 * @throws every operation throws an error with the code of a system error; `ESTALE` if the source of the bind is gone.
 */
export class LiveReader {
  readonly tree: HostTree
  protected readonly options: HostTreeOptions

  /** @param source - a real path. */
  constructor(source: string, isExcluded: HostTreeOptions['isExcluded']) {
    this.options = { isExcluded, maxFileSize: 0 }
    this.tree = new HostTree(source, this.options)
  }

  /** What is at a path; `undefined` if nothing is. */
  look(rel: string): HostEntry | undefined {
    try {
      const found = this.tree.look(rel)
      return found === undefined || 'reason' in found ? undefined : found
    } catch (error) {
      throw error instanceof HostGoneError ? new HostFileError('ESTALE') : error
    }
  }

  /** What is in a directory, by name. */
  list(rel: string): ReadonlyMap<string, HostEntry> {
    return this.#examineAll(rel).entries
  }

  /** What is at a path and below it, parents first, and whether excluded paths are among it. */
  subtree(rel: string): { entries: ReadonlyMap<string, HostEntry>; holdsExcluded: boolean } {
    const entries = new Map<string, HostEntry>()
    let holdsExcluded = false
    const root = this.look(rel)
    if (root !== undefined) entries.set(rel, root)
    for (const [path, { kind }] of entries) {
      if (kind !== 'directory') continue
      const found = this.#examineAll(path)
      holdsExcluded ||= found.holdsExcluded
      for (const [name, entry] of found.entries) entries.set(childOf(path, name), entry)
    }
    return { entries, holdsExcluded }
  }

  /** The bytes of a file. @param most - bytes; a larger file is refused with `EFBIG`. */
  read(rel: string, most: number): Uint8Array<ArrayBuffer> {
    return this.at(rel, (place) => {
      const descriptor = openFile(place, constants.O_RDONLY)
      try {
        const size = Number(fstatSync(descriptor).size)
        if (size > most) throw new HostFileError('EFBIG')
        return readToEnd(descriptor, size, most)
      } finally {
        closeSync(descriptor)
      }
    })
  }

  /** Acts on a name in its directory, which stays the same one whatever becomes of its path meanwhile. */
  protected at<T>(rel: string, act: (place: Place) => T): T {
    const { source, kind } = this.tree
    const isFile = kind === 'file'
    using anchor = isFile ? openReal(dirname(source), '') : this.#open(parentOf(rel))
    const name = rel === '' ? '.' : nameOf(rel)
    return act(new Place(rel, anchor, isFile ? basename(source) : name))
  }

  #examineAll(rel: string): { entries: Map<string, HostEntry>; holdsExcluded: boolean } {
    const now = nowNanoseconds()
    const entries = new Map<string, HostEntry>()
    let holdsExcluded = false
    using anchor = this.#open(rel)
    const directory = this.tree.pathOf(rel)
    for (const name of readNames(anchor.path, rel).names) {
      const path = anchor.at(name)
      if (isTemporaryName(name)) {
        removeIfStale(path, now)
        continue
      }
      const entry = examine({ name, rel: childOf(rel, name), path, directory }, this.options, now, true)
      if (entry === undefined) holdsExcluded = true
      else if (!('reason' in entry)) entries.set(name, entry)
    }
    return { entries, holdsExcluded }
  }

  #open(rel: string): Anchor {
    return openReal(this.tree.pathOf(rel), rel)
  }
}

/** @throws {HostFileError} if there is no such directory. */
function openReal(path: string, rel: string): Anchor {
  const anchor = Anchor.open(path)
  if (typeof anchor !== 'string') return anchor
  if (rel === '') throw new HostFileError('ESTALE')
  throw new HostFileError(anchor === 'missing' ? 'ENOENT' : 'ENOTDIR')
}

/** Opens the regular file at a place, and nothing else: what is there is known before it is opened. */
export function openFile(place: Place, flags: number): number {
  const held = hold(place.path)
  try {
    const stats = fstatSync(held)
    if (stats.isDirectory()) throw new HostFileError('EISDIR')
    if (!stats.isFile()) throw new HostFileError(stats.isSymbolicLink() ? 'ELOOP' : 'EPERM')
    const through = descriptorPath(held)
    return through === undefined
      ? openSync(place.path, flags | O_NOFOLLOW | O_NONBLOCK)
      : openSync(through, flags)
  } finally {
    closeSync(held)
  }
}

/** All bytes of a file, also of one that grows. */
function readToEnd(descriptor: number, expected: number, most: number): Uint8Array<ArrayBuffer> {
  let bytes = Buffer.allocUnsafeSlow(expected + 1)
  let length = 0
  for (;;) {
    const count = readSync(descriptor, bytes, length, bytes.length - length, length)
    if (count === 0) return new Uint8Array(bytes.buffer, 0, length)
    length += count
    if (length > most) throw new HostFileError('EFBIG')
    if (length === bytes.length) bytes = Buffer.concat([bytes, Buffer.allocUnsafeSlow(CHUNK)])
  }
}
