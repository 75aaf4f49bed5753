import { readdirSync, statfsSync } from 'node:fs'
import type { HostEntry, Skipped } from '../types.ts'
import type { Anchor } from './anchor.ts'
import { childOf, isTemporaryName } from './names.ts'

/**
 * File systems on which a directory's times change with every name that comes or goes: ext2 to ext4, tmpfs, XFS,
 * Btrfs and overlayfs. Others, above all those over a network, may show times that are not the newest.
 */
const EXACT = new Set([0xef53, 0x0102_1994, 0x5846_5342, 0x9123_683e, 0x794c_7630])

/** The names in a directory, as one listing gave them. */
export interface DirectoryNames {
  readonly names: readonly string[]
  /** Those that are not UTF-8. */
  readonly skipped: readonly Skipped[]
}

/** @throws the system's error when the directory can not be listed. */
export function readNames(path: string, rel: string): DirectoryNames {
  const names = readdirSync(path)
  if (!names.some((name) => name.includes('\ufffd'))) return { names, skipped: [] }
  const whole: string[] = []
  const skipped: Skipped[] = []
  // As text, a name that is not UTF-8 is damaged and may look like another one.
  for (const bytes of readdirSync(path, 'buffer')) {
    const name = bytes.toString()
    if (Buffer.from(name).equals(bytes)) whole.push(name)
    else skipped.push({ path: childOf(rel, name), reason: 'name is not UTF-8' })
  }
  return { names: whole, skipped }
}

/** Whether the times of a directory tell that its names are the same, on the file system that it is on. */
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

  /** The names in the directory that was found; `undefined` when it has to be listed. */
  of(rel: string, found: HostEntry): DirectoryNames | undefined {
    const known = this.#known.get(rel)
    if (known === undefined) return undefined
    const { inode, modified, changed } = known.entry
    if (inode !== found.inode || modified !== found.modified || changed !== found.changed) return undefined
    this.#next.set(rel, known)
    return known
  }

  /** Keeps what a listing gave, where the times of the directory, looked at before, tell when it is no longer true. */
  keep(rel: string, entry: HostEntry, listed: DirectoryNames, anchor: Anchor): void {
    if (entry.fresh || listed.names.some(isTemporaryName)) return
    if (hasExactTimes(anchor.path)) this.#next.set(rel, { ...listed, entry })
  }

  /** Forgets the directories that were neither asked for nor kept since the last scan. */
  endScan(): void {
    this.#known = this.#next
    this.#next = new Map()
  }
}
