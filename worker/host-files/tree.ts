import { existsSync, lstatSync } from 'node:fs'
import { dirname } from 'node:path'
import { Anchor } from './anchor.ts'
import { readSettled } from './bytes.ts'
import { type DirectoryNames, KnownNames, readNames } from './directory-names.ts'
import { hostEntry, nowNanoseconds } from './entry.ts'
import { HostGoneError, isAbsence, isExhaustion } from './errors.ts'
import { examine, type HostTreeOptions, isTooLarge, removeIfStale } from './examine.ts'
import { isPlainPath, isTemporaryName, nameOf } from './names.ts'
import { parentOf, prefixOf } from './paths.ts'
import type { HostEntry, Skipped } from './types.ts'

export type { HostTreeOptions } from './examine.ts'

/** The entries of a tree, by path, parents before their children; or of one directory, by name. */
export interface HostListing {
  readonly entries: Map<string, HostEntry>
  /** What exists and is not mirrored. Nothing is known of it or its content: it counts neither as new nor as removed. */
  readonly skipped: Skipped[]
}

/** Reads the host's side of a bind. Never follows a link. */
export class HostTree {
  /** The real path of the directory or file. */
  readonly source: string
  /** The kind of the source. The only path of a file is `''`. */
  readonly kind: 'directory' | 'file'
  readonly #prefix: string
  readonly #options: HostTreeOptions
  readonly #names = new KnownNames()

  /** @throws {HostGoneError} when `source` is neither a directory nor a file. */
  constructor(source: string, options: HostTreeOptions) {
    this.source = source
    this.#prefix = prefixOf(source)
    this.#options = options
    const stats = lstatSync(source, { bigint: true, throwIfNoEntry: false })
    if (!stats?.isDirectory() && !stats?.isFile()) throw new HostGoneError(source)
    this.kind = stats.isDirectory() ? 'directory' : 'file'
  }

  /** The absolute path of `rel`. */
  pathOf(rel: string): string {
    return rel === '' ? this.source : this.#prefix + rel
  }

  /**
   * All entries, with the root under `''`. Removes old temporary files.
   * @param most the scan ends when it has more entries than this.
   * @throws {HostGoneError} when the root is missing or is no longer of its kind; the system's error when the root
   *   cannot be listed or this process ran out of descriptors or memory.
   */
  scan(most = Number.POSITIVE_INFINITY): HostListing {
    const now = nowNanoseconds()
    const entries = new Map<string, HostEntry>()
    const skipped: Skipped[] = []
    const root = this.#lookAtRoot(now)
    if (root === undefined) return { entries, skipped }
    if ('reason' in root) return { entries, skipped: [root] }
    if (root.kind === 'file') return { entries: entries.set('', root), skipped }
    const directories = [{ rel: '', entry: root }]
    for (const [index, { rel, entry }] of directories.entries()) {
      if (entries.size + directories.length - index > most) {
        for (const left of directories.slice(index)) entries.set(left.rel, left.entry)
        break
      }
      const names = this.#names.of(rel, entry) ?? this.#list(rel, now, entry)
      if (names === undefined) continue
      if ('reason' in names) {
        skipped.push(names)
        continue
      }
      entries.set(rel, entry)
      const prefix = rel === '' ? '' : `${rel}/`
      this.#examineAll(rel, names, now, false, skipped, (name, found) => {
        if (found.kind === 'directory') directories.push({ rel: prefix + name, entry: found })
        else entries.set(prefix + name, found)
      })
    }
    this.#names.endScan()
    return { entries, skipped }
  }

  /**
   * What is at one path: the same as in a scan.
   * @returns `undefined` if nothing is there, it is excluded, or a parent is not a real directory.
   * @throws as `scan` does.
   */
  look(rel: string): HostEntry | Skipped | undefined {
    const now = nowNanoseconds()
    if (rel === '') return this.#lookAtRoot(now)
    const anchor = this.#openParent(rel)
    if (anchor === undefined || 'reason' in anchor) return anchor && { ...anchor, path: rel }
    using parent = anchor
    const name = nameOf(rel)
    const directory = this.pathOf(parentOf(rel))
    return examine({ name, rel, path: parent.at(name), directory }, this.#options, now, true)
  }

  /**
   * The direct children of one directory, by name.
   * @returns `undefined` if there is no such directory in the mirror.
   * @throws as `scan` does.
   */
  list(rel: string): HostListing | Skipped | undefined {
    const now = nowNanoseconds()
    const found = this.look(rel)
    if (found === undefined || 'reason' in found) return found
    const names = found.kind === 'directory' ? this.#list(rel, now) : undefined
    if (names === undefined || 'reason' in names) return names
    const entries = new Map<string, HostEntry>()
    const skipped: Skipped[] = []
    this.#examineAll(rel, names, now, true, skipped, (name, entry) => entries.set(name, entry))
    return { entries, skipped }
  }

  /**
   * The bytes of a file and the entry that belongs to them, which may be newer than the last look.
   * @param most - bytes; a larger file is `'changed'`. 0: no limit.
   * @returns `'changed'` if there is no such file now, it is too large, or it changes during the read.
   * @throws the system's error when this process ran out of descriptors or memory.
   */
  read(
    rel: string,
    most = this.#options.maxFileSize,
  ): { bytes: Uint8Array; entry: HostEntry } | 'changed' | 'unreadable' {
    if (!isPlainPath(rel)) return 'changed'
    const now = nowNanoseconds()
    const path = this.pathOf(rel)
    const settled = readSettled(path, path, most)
    if (typeof settled === 'string') return settled
    return { bytes: settled.bytes, entry: hostEntry(settled.stats, now) }
  }

  /** A source that is a file may be missing while its directory exists. */
  #lookAtRoot(now: bigint): HostEntry | Skipped | undefined {
    const stats = lstatSync(this.source, { bigint: true, throwIfNoEntry: false })
    if (stats === undefined && this.kind === 'file' && existsSync(dirname(this.source))) return undefined
    const isSame = this.kind === 'file' ? stats?.isFile() : stats?.isDirectory()
    if (stats === undefined || !isSame) throw new HostGoneError(this.source)
    return this.kind === 'file' && isTooLarge(stats, this.#options)
      ? { path: '', reason: 'too large' }
      : hostEntry(stats, now)
  }

  /** The anchor of the directory that `rel` is in; `undefined` if it is not mirrored. */
  #openParent(rel: string): Anchor | Skipped | undefined {
    if (this.kind === 'file' || !isPlainPath(rel)) return undefined
    const parts = rel.split('/')
    if (parts.some(isTemporaryName)) return undefined
    for (let depth = 1; depth < parts.length; depth++) {
      if (this.#options.isExcluded(parts.slice(0, depth).join('/'), true)) return undefined
    }
    return this.#open(parentOf(rel))
  }

  /** Opens a directory of the tree. @throws {HostGoneError} if the root is not a directory. */
  #open(rel: string): Anchor | Skipped | undefined {
    try {
      const anchor = Anchor.open(this.pathOf(rel))
      if (typeof anchor !== 'string') return anchor
    } catch (error) {
      if (rel === '' || isExhaustion(error)) throw error
      return { path: rel, reason: 'unreadable' }
    }
    if (rel === '') throw new HostGoneError(this.source)
    return undefined
  }

  /** Lists a directory. `entry`, taken just before, lets later scans reuse the names. */
  #list(rel: string, now: bigint, entry?: HostEntry): DirectoryNames | Skipped | undefined {
    const opened = this.#open(rel)
    if (opened === undefined || 'reason' in opened) return opened
    using anchor = opened
    try {
      const listed = readNames(anchor.path, rel)
      if (entry !== undefined) this.#names.keep(rel, entry, listed, anchor)
      for (const name of listed.names) if (isTemporaryName(name)) removeIfStale(anchor.at(name), now)
      return listed
    } catch (error) {
      if (rel === '' || isExhaustion(error)) throw error
      return isAbsence(error) ? undefined : { path: rel, reason: 'unreadable' }
    }
  }

  /** @param probe whether to check that directories can be listed. */
  #examineAll(
    rel: string,
    names: DirectoryNames,
    now: bigint,
    probe: boolean,
    skipped: Skipped[],
    found: (name: string, entry: HostEntry) => void,
  ): void {
    const relPrefix = rel === '' ? '' : `${rel}/`
    const pathPrefix = this.#prefix + relPrefix
    const directory = this.pathOf(rel)
    for (const name of names.names) {
      if (isTemporaryName(name)) continue
      const candidate = { name, rel: relPrefix + name, path: pathPrefix + name, directory }
      const entry = examine(candidate, this.#options, now, probe)
      if (entry === undefined) continue
      if ('reason' in entry) skipped.push(entry)
      else found(name, entry)
    }
    for (const name of names.skipped) skipped.push(name)
  }
}
