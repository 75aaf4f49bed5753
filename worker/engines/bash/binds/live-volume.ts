import { HostFileError } from '../../../host-files/errors.ts'
import type { Ledger } from '../../../host-files/ledger.ts'
import type { LiveFiles, Wrote } from '../../../host-files/live-files.ts'
import type { EntryKind } from '../../../host-files/types.ts'
import type { Volume } from '../files/volume.ts'
import { HostReads } from './host-reads.ts'

/** A direct bind: every operation is one on the host, and is on record when it has succeeded. */
export class LiveVolume extends HostReads implements Volume {
  readonly #files: LiveFiles
  readonly #ledger: Ledger

  /**
   * @param maxFileSize - bytes that a file may have to be read.
   * @param prefix - what no other volume of the sandbox has.
   */
  constructor(files: LiveFiles, ledger: Ledger, maxFileSize: number, prefix: string) {
    super(files, maxFileSize, prefix)
    this.#files = files
    this.#ledger = ledger
  }

  write(rel: string, bytes: Uint8Array, mode: number): void {
    this.#wrote(rel, this.#files.write(rel, bytes, mode))
  }

  append(rel: string, bytes: Uint8Array, mode: number): void {
    this.#wrote(rel, this.#files.append(rel, bytes, mode, this.maxFileSize))
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
