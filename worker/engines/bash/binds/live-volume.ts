import { HostFileError } from '../../../host-files/errors.ts'
import type { Ledger } from '../../../host-files/ledger.ts'
import type { LiveFiles, Wrote } from '../../../host-files/live-files.ts'
import type { EntryKind, HostEntry } from '../../../host-files/types.ts'
import type { Node, Volume } from '../files/volume.ts'

/** What the programs of a sandbox see of a host entry. */
export function nodeOf({ kind, mode, size, modified, inode, target }: HostEntry, prefix: string): Node {
  return {
    kind,
    mode,
    size: target === undefined ? size : Buffer.byteLength(target),
    modified: new Date(Number(modified / 1_000_000n)),
    identity: `${prefix}:${inode}`,
    ...(target === undefined ? {} : { target }),
  }
}

/** A direct bind: every operation is one on the host, and is on record when it has succeeded. */
export class LiveVolume implements Volume {
  readonly #files: LiveFiles
  readonly #ledger: Ledger
  readonly #maxFileSize: number
  readonly #prefix: string

  /**
   * @param maxFileSize - bytes that a file may have to be read.
   * @param prefix - what no other volume of the sandbox has.
   */
  constructor(files: LiveFiles, ledger: Ledger, maxFileSize: number, prefix: string) {
    this.#files = files
    this.#ledger = ledger
    this.#maxFileSize = maxFileSize
    this.#prefix = prefix
  }

  look(rel: string): Node | undefined {
    const entry = this.#files.look(rel)
    return entry === undefined ? undefined : nodeOf(entry, this.#prefix)
  }

  list(rel: string): ReadonlyMap<string, Pick<Node, 'kind'>> {
    return this.#files.list(rel)
  }

  read(rel: string): Uint8Array {
    return this.#files.read(rel, this.#maxFileSize)
  }

  write(rel: string, bytes: Uint8Array, mode: number): void {
    this.#wrote(rel, this.#files.write(rel, bytes, mode))
  }

  append(rel: string, bytes: Uint8Array, mode: number): void {
    this.#wrote(rel, this.#files.append(rel, bytes, mode, this.#maxFileSize))
  }

  makeDirectory(rel: string, mode: number): void {
    this.#files.makeDirectory(rel, mode)
    this.#ledger.recordLive(rel, 'directory', 'added')
  }

  makeLink(rel: string, target: string): void {
    this.#files.makeLink(rel, target)
    this.#ledger.recordLive(rel, 'link', 'added')
  }

  link(from: string, to: string): void {
    this.#files.link(from, to)
    this.#ledger.recordLive(to, 'file', 'added')
  }

  remove(rel: string): void {
    const kind = this.#kindOf(rel)
    this.#files.remove(rel)
    this.#ledger.recordLive(rel, kind, 'removed')
  }

  rename(from: string, to: string): void {
    const moved = this.#files.subtree(from).entries
    const replaced = this.#files.look(to)
    this.#files.rename(from, to)
    if (from === to) return
    for (const [rel, { kind }] of [...moved].reverse()) this.#ledger.recordLive(rel, kind, 'removed')
    for (const [rel, { kind }] of moved) {
      const isKept = rel === from && replaced?.kind === kind
      if (rel === from && replaced !== undefined && !isKept)
        this.#ledger.recordLive(to, replaced.kind, 'removed')
      this.#ledger.recordLive(to + rel.slice(from.length), kind, isKept ? 'changed' : 'added')
    }
  }

  chmod(rel: string, mode: number): void {
    const kind = this.#kindOf(rel)
    this.#files.chmod(rel, mode)
    this.#ledger.recordLive(rel, kind, 'changed')
  }

  setModified(rel: string, modified: Date): void {
    this.#files.setModified(rel, modified)
  }

  #kindOf(rel: string): EntryKind {
    const found = this.#files.look(rel)
    if (found === undefined) throw new HostFileError('ENOENT')
    return found.kind
  }

  #wrote(rel: string, wrote: Wrote): void {
    this.#ledger.recordLive(rel, 'file', wrote)
  }
}
