import { readdirSync, statfsSync } from 'node:fs'
import type { Anchor } from './anchor.ts'
import { childOf, isTemporaryName } from './names.ts'
import type { HostEntry, Skipped } from './types.ts'

/**
 * File systems on which a directory's times change with every name that is added or removed: ext2 to ext4, tmpfs, XFS,
 * Btrfs and overlayfs. Others, such as network file systems, may report old times.
 */
const EXACT = new Set([0xef53, 0x0102_1994, 0x5846_5342, 0x9123_683e, 0x794c_7630])

/** The names in a directory, as one listing gave them. */
export interface DirectoryNames {
  readonly names: readonly string[]
  /** The names that are not UTF-8. */
  readonly skipped: readonly Skipped[]
}

/** @throws the system's error if the directory cannot be listed. */
export function readNames(path: string, rel: string): DirectoryNames {
  const names = readdirSync(path)
  if (!names.some((name) => name.includes('\ufffd'))) return { names, skipped: [] }
  const whole: string[] = []
  const skipped: Skipped[] = []
  // A name that is not UTF-8 is damaged as text, and may look like another one.
  for (const bytes of readdirSync(path, 'buffer')) {
    const name = bytes.toString()
    if (Buffer.from(name).equals(bytes)) whole.push(name)
    else skipped.push({ path: childOf(rel, name), reason: 'name is not UTF-8' })
  }
  return { names: whole, skipped }
}

/** Whether a directory is on a file system where equal times mean equal names. */
export function hasExactTimes(path: string): boolean {
  return EXACT.has(statfsSync(path).type >>> 0)
}

interface Known extends DirectoryNames {
  readonly entry: HostEntry
}

/** The names of a tree's directories, so that an unchanged one is not listed again. */
export class KnownNames {
  #known = new Map<string, Known>()
  #next = new Map<string, Known>()

  /** The names in a directory; `undefined` if it has to be listed. */
  of(rel: string, found: HostEntry): DirectoryNames | undefined {
    const known = this.#known.get(rel)
    if (known === undefined) return undefined
    const { inode, modified, changed } = known.entry
    if (inode !== found.inode || modified !== found.modified || changed !== found.changed) return undefined
    this.#next.set(rel, known)
    return known
  }

  /** Keeps a listing if the directory's times, taken before it, will show when it is out of date. */
  keep(rel: string, entry: HostEntry, listed: DirectoryNames, anchor: Anchor): void {
    if (entry.fresh || listed.names.some(isTemporaryName)) return
    if (hasExactTimes(anchor.path)) this.#next.set(rel, { ...listed, entry })
  }

  /** Forgets the directories that this scan did not reach. */
  endScan(): void {
    this.#known = this.#next
    this.#next = new Map()
  }
}
