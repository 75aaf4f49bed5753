import { type BigIntStats, lstatSync, readlinkSync } from 'node:fs'
import { systemCode } from '../service/system-code.ts'
import type { Anchor } from './anchor.ts'
import { hostEntry, nowNanoseconds, skipReason } from './entry.ts'
import { HostRefusedError } from './errors.ts'
import { childOf } from './names.ts'
import { parentOf } from './paths.ts'
import type { HostEntry } from './types.ts'

/** The owner of a file. */
export interface Owner {
  readonly uid: number
  readonly gid: number
}

/** What is at a place now. */
export interface Occupant {
  readonly entry: HostEntry
  readonly owner: Owner
}

/** A name in an anchored directory, to be written. */
export class Place {
  /** Relative to the bind. */
  readonly rel: string
  readonly anchor: Anchor
  readonly name: string
  /** A path of this place through its anchor. */
  readonly path: string

  constructor(rel: string, anchor: Anchor, name: string) {
    this.rel = rel
    this.anchor = anchor
    this.name = name
    this.path = anchor.at(name)
  }

  /** The path, relative to the bind, of another name in the same directory. */
  beside(name: string): string {
    return childOf(parentOf(this.rel), name)
  }

  /**
   * What is here now; `undefined` if there is nothing.
   * @param knownTarget the text of the only link that may be replaced.
   * @throws {HostRefusedError} for what is never replaced: FIFOs, sockets, devices and any other link.
   */
  look(knownTarget?: string): Occupant | undefined {
    const now = nowNanoseconds()
    const stats = this.lstat()
    if (stats === undefined) return undefined
    const reason = skipReason(stats)
    if (reason !== undefined) throw new HostRefusedError(this.rel, `the host has a ${reason} there`)
    const owner = { uid: Number(stats.uid), gid: Number(stats.gid) }
    if (!stats.isSymbolicLink()) return { entry: hostEntry(stats, now), owner }
    const target = this.#readlink()
    if (target === undefined) return undefined
    if (target !== knownTarget) throw new HostRefusedError(this.rel, 'the host has an unknown link there')
    return { entry: hostEntry(stats, now, target), owner }
  }

  /** Whether the entry that was found is still here. */
  stillHas({ entry }: Occupant): boolean {
    const stats = this.lstat()
    if (stats === undefined || stats.ino !== entry.inode || stats.mtimeNs !== entry.modified) return false
    return entry.kind !== 'file' || Number(stats.size) === entry.size
  }

  /** Whether a link with this text is here. */
  isLink(target: string): boolean {
    return this.#readlink() === target
  }

  lstat(): BigIntStats | undefined {
    return lstatSync(this.path, { bigint: true, throwIfNoEntry: false })
  }

  /** The text of the link here; `undefined` if there is none. */
  #readlink(): string | undefined {
    try {
      return readlinkSync(this.path)
    } catch (error) {
      const code = systemCode(error)
      if (code === 'ENOENT' || code === 'EINVAL') return undefined
      throw error
    }
  }
}
