import type { BigIntStats } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { digestOf } from '../../../host-files/digest.ts'
import { skipReason } from '../../../host-files/entry.ts'
import { HostFileError } from '../../../host-files/errors.ts'
import { type Extent, type HostSide, Ledger } from '../../../host-files/ledger.ts'
import type { LiveReader } from '../../../host-files/live-reader.ts'
import { childOf, isPlainPath } from '../../../host-files/names.ts'
import type { HostEntry, SandboxEntry } from '../../../host-files/types.ts'
import { reasonToWithhold } from '../../../host-files/withhold.ts'
import type { HeldTree } from './held-tree.ts'

/** Bytes of a file that is compared with the host's by content: of a larger one its size and time tell. */
const MOST_COMPARED = 8 * 2 ** 20
/** Bytes of a path: the host takes no longer one. */
const LONGEST_PATH = 4000
/** Entries after which others of the thread have a turn. */
const TURN = 500

/** The two views of an overlay, and the host's side below it. */
export interface OverlaySides {
  /** What the sandbox wrote: whiteouts where it removed something. */
  readonly upper: Pick<HeldTree, 'names' | 'look'>
  /** What the sandbox sees. */
  readonly merged: Pick<HeldTree, 'names' | 'look' | 'target' | 'read'>
  readonly host: LiveReader
  readonly isExcluded: (rel: string, isDirectory: boolean) => boolean
  /** When the overlay was mounted, in nanoseconds of the system's clock: what the host has later is none of what lay below. */
  readonly opened: bigint
}

/** A path in the upper directory, as it was last compared. */
interface Seen {
  readonly size: bigint
  readonly modified: bigint
  readonly mode: number
}

/**
 * What the sandbox changed in an overlay. It is read when it is asked for: paths in the upper directory are compared with the
 * host's. Which paths a directory hides is taken from what the sandbox sees.
 */
export class OverlayChanges {
  readonly ledger = new Ledger()
  readonly #sides: OverlaySides
  readonly #seen = new Map<string, Seen>()
  /** Removed paths of the host that are on record: what the host has there later is not the sandbox's to remove. */
  readonly #gone = new Set<string>()
  /** What the sandbox wrote that never reaches the host, by path, and why. */
  #left = new Map<string, string>()

  constructor(sides: OverlaySides) {
    this.#sides = sides
  }

  get left(): ReadonlyMap<string, string> {
    return this.#left
  }

  /** Brings the ledger up to what the sandbox has now. */
  async refresh(): Promise<void> {
    const there = new Set<string>()
    const left = new Map<string, string>()
    const directories = ['']
    let turn = 0
    this.#compare('', this.#sides.merged.look(''), this.#sides.host.look(''))
    for (const rel of directories) {
      for (const path of this.#changedIn(rel, there, left)) directories.push(path)
      if (there.size < turn) continue
      turn = there.size + TURN
      await setImmediate()
    }
    this.#forgetGone(there, left)
    this.#left = left
  }

  /** Compares what is in a directory that the sandbox has written to. @returns the directories in it of which this is true as well */
  #changedIn(rel: string, there: Set<string>, left: Map<string, string>): string[] {
    const { upper, merged, host, isExcluded } = this.#sides
    const written = new Set(upper.names(rel))
    const seen = merged.names(rel)
    const below = host.look(rel)?.kind === 'directory' ? host.list(rel) : new Map<string, HostEntry>()
    if (seen === undefined) {
      left.set(rel, 'unreadable')
      return []
    }
    const deeper: string[] = []
    for (const name of seen) {
      const path = childOf(rel, name)
      if (!written.has(name)) continue
      const stats = merged.look(path)
      if (stats === undefined || isExcluded(path, stats.isDirectory())) continue
      there.add(path)
      const reason = skipReason(stats) ?? (isTooLong(path) ? 'path too long' : undefined)
      if (reason !== undefined) left.set(path, reason)
      else if (this.#compare(path, stats, below.get(name)) === 'directory') deeper.push(path)
    }
    const present = new Set(seen)
    for (const [name, entry] of below) {
      const path = childOf(rel, name)
      if (present.has(name)) this.#gone.delete(path)
      else if (!this.#gone.has(path) && this.#isRemoved(path, entry, written.has(name))) {
        this.#gone.add(path)
        this.#removed(path, entry)
      }
    }
    return deeper
  }

  /** A path of the host that the sandbox does not see is removed by a whiteout, or with all that its directory once had. */
  #isRemoved(rel: string, { changed }: HostEntry, isWritten: boolean): boolean {
    return isWritten ? isWhiteout(this.#sides.upper.look(rel)) : changed <= this.#sides.opened
  }

  #removed(rel: string, entry: HostEntry): void {
    if (entry.kind === 'directory') this.#emptied(rel)
    this.#remove(rel, entry)
  }

  #remove(rel: string, found: HostEntry): void {
    if (this.ledger.at(rel) === undefined) this.#begin(rel, found)
    this.ledger.recordRemoved(rel)
    this.#seen.delete(rel)
  }

  /** @returns the kind of what is there */
  #compare(
    rel: string,
    stats: BigIntStats | undefined,
    below: HostEntry | undefined,
  ): SandboxEntry['kind'] | undefined {
    const entry = stats && this.#entryOf(rel, stats)
    if (stats === undefined || entry === undefined) return undefined
    const { ledger } = this
    const seen: Seen = { size: stats.size, modified: stats.mtimeNs, mode: entry.mode }
    const before = this.#seen.get(rel)
    const known = ledger.at(rel)
    this.#seen.set(rel, seen)
    if (known === undefined && below !== undefined) {
      this.#begin(rel, below)
      if (below.kind === 'directory' && entry.kind !== 'directory') this.#emptied(rel)
    } else if (known?.sandbox?.kind === 'directory' && entry.kind !== 'directory') this.#emptied(rel)
    const extent = this.#extent(rel, entry, before)
    if (extent !== undefined) {
      ledger.recordChanged(rel, entry, extent)
      const reason = reasonToWithhold(rel, entry)
      if (reason !== undefined) ledger.withhold(rel, reason)
    }
    return entry.kind
  }

  /** How much of what is there differs from what was known of it; undefined: nothing. */
  #extent(rel: string, entry: SandboxEntry, before: Seen | undefined): Extent | undefined {
    const { sandbox, host, content } = this.ledger.at(rel) ?? {}
    if (sandbox === undefined || sandbox.kind !== entry.kind || sandbox.target !== entry.target) return 'all'
    const isOther =
      entry.kind === 'file' && this.#hasOtherContent(rel, { entry, sandbox, host, content, before })
    if (isOther) return 'all'
    return sandbox.mode === entry.mode ? undefined : 'mode'
  }

  #hasOtherContent(
    rel: string,
    {
      entry,
      sandbox,
      host,
      content,
      before,
    }: {
      readonly entry: SandboxEntry
      readonly sandbox: SandboxEntry
      readonly host: HostEntry | undefined
      readonly content: string | undefined
      readonly before: Seen | undefined
    },
  ): boolean {
    const now = this.#seen.get(rel)
    if (sandbox.size !== entry.size) return true
    if (before !== undefined && before.modified === now?.modified) return false
    if (entry.size > MOST_COMPARED) return before !== undefined || host?.modified !== now?.modified
    const digest = content ?? (this.ledger.pendingAt(rel) === undefined ? this.#hostDigest(rel) : undefined)
    return digest === undefined || this.#digest(rel) !== digest
  }

  /** Undefined where the file cannot be read now: that is told when it is applied. */
  #digest(rel: string): string | undefined {
    try {
      return digestOf(this.#sides.merged.read(rel))
    } catch (error) {
      if (error instanceof HostFileError) return undefined
      throw error
    }
  }

  #hostDigest(rel: string): string | undefined {
    const file = this.#sides.host.tree.read(rel)
    return typeof file === 'string' ? undefined : digestOf(file.bytes)
  }

  /** Takes what the host has at a path for what the sandbox had there. What came after the overlay counts as changed by the host. */
  #begin(rel: string, host: HostEntry): void {
    const { kind, mode, size, target } = host
    const sandbox = { kind, mode, size, shown: '', ...(target === undefined ? {} : { target }) }
    this.ledger.recordBroughtIn(
      rel,
      sandbox,
      host.changed > this.#sides.opened ? another(host) : this.#sideOf(rel, host),
    )
  }

  /** Where times do not tell a later change, the content does. */
  #sideOf(rel: string, host: HostEntry): HostSide {
    const file = host.kind === 'file' && host.fresh ? this.#sides.host.tree.read(rel) : undefined
    return typeof file === 'object' ? { host: file.entry, digest: digestOf(file.bytes) } : { host }
  }

  /** Nothing of what the host has in a directory is seen by the sandbox. What the host put there later is not the sandbox's to remove. */
  #emptied(rel: string): void {
    for (const [path, found] of [...this.#sides.host.subtree(rel).entries].reverse()) {
      const isLater = found.kind !== 'directory' && found.changed > this.#sides.opened
      if (path !== rel && !isLater) this.#remove(path, found)
    }
  }

  #entryOf(rel: string, stats: BigIntStats): SandboxEntry | undefined {
    const mode = Number(stats.mode) & 0o777
    if (stats.isDirectory()) return { kind: 'directory', mode, size: 0, shown: '' }
    if (stats.isFile()) return { kind: 'file', mode, size: Number(stats.size), shown: '' }
    const target = this.#sides.merged.target(rel)
    return target === undefined ? undefined : { kind: 'link', mode: 0o777, size: 0, shown: '', target }
  }

  /** What was known of the sandbox, is not in the upper directory, and is not seen by the sandbox. */
  #forgetGone(there: ReadonlySet<string>, left: ReadonlyMap<string, string>): void {
    const unreadable = [...left].flatMap(([rel, reason]) => (reason === 'unreadable' ? [`${rel}/`] : []))
    for (const rel of this.ledger.sandboxPaths().reverse()) {
      const isUnknown = unreadable.some((directory) => rel.startsWith(directory))
      if (rel === '' || there.has(rel) || isUnknown || this.#sides.merged.look(rel) !== undefined) continue
      this.ledger.recordRemoved(rel)
      this.#seen.delete(rel)
    }
  }
}

/** A side that no entry of the host is equal to: what the host had there is not known. */
function another(host: HostEntry): HostSide {
  return {
    host: { ...host, modified: -1n, changed: -1n, ...(host.target === undefined ? {} : { target: '' }) },
  }
}

function isWhiteout(stats: BigIntStats | undefined): boolean {
  return stats?.isCharacterDevice() === true && stats.rdev === 0n
}

function isTooLong(rel: string): boolean {
  return !isPlainPath(rel) || Buffer.byteLength(rel) > LONGEST_PATH
}
