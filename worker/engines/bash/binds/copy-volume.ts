import { HostFileError } from '../../../host-files/errors.ts'
import type { LiveReader } from '../../../host-files/live-reader.ts'
import { childOf } from '../../../host-files/names.ts'
import type { HostEntry } from '../../../host-files/types.ts'
import type { Node, Volume } from '../files/volume.ts'
import type { Copied, CopiedFiles, Present } from './copied-files.ts'
import type { CopyRecord } from './copy-record.ts'
import { nodeOf } from './host-reads.ts'

/** What a copy is made of. */
export interface CopyVolumeOptions {
  readonly host: LiveReader
  readonly record: CopyRecord
  /** What the sandbox has of it in memory. */
  readonly own: CopiedFiles
  /** Bytes that a file may have to be read. */
  readonly maxFileSize: number
  readonly prefix: string
}

/** A copy: the host's files, read when they are needed, under the changes of the sandbox, which stay in memory. */
export class CopyVolume implements Volume {
  readonly #host: LiveReader
  readonly #record: CopyRecord
  readonly #maxFileSize: number
  readonly #prefix: string
  readonly #own: CopiedFiles

  constructor({ host, record, own, maxFileSize, prefix }: CopyVolumeOptions) {
    this.#host = host
    this.#record = record
    this.#maxFileSize = maxFileSize
    this.#prefix = prefix
    this.#own = own
  }

  look(rel: string): Node | undefined {
    const own = this.#own.at(rel)
    if (own !== undefined) return this.#nodeOf(rel, own)
    const entry = this.#onHost(rel)
    return entry === undefined ? undefined : nodeOf(entry, this.#prefix)
  }

  lookThrough(rel: string): Node | undefined {
    return this.#own.at(rel) === undefined ? this.look(rel) : undefined
  }

  list(rel: string): ReadonlyMap<string, Pick<Node, 'kind'>> {
    const names = new Map<string, Pick<Node, 'kind'>>(
      this.#onHost(rel)?.kind === 'directory' ? this.#host.list(rel) : [],
    )
    for (const name of this.#own.names(rel)) {
      const own = this.#own.at(childOf(rel, name))
      if (own?.kind === 'gone') names.delete(name)
      else if (own !== undefined) names.set(name, { kind: own.kind })
    }
    return names
  }

  read(rel: string): Uint8Array {
    const own = this.#own.at(rel)
    if (own?.kind === 'file') return own.bytes
    if (own !== undefined || this.#own.hides(rel)) throw new HostFileError('ENOENT')
    return this.#record.readHost(rel, this.#maxFileSize)
  }

  write(rel: string, bytes: Uint8Array, mode: number): void {
    const found = this.look(rel)
    this.#put(rel, { kind: 'file', bytes: bytes.slice(), mode: found?.mode ?? mode, modified: new Date() })
  }

  append(rel: string, bytes: Uint8Array, mode: number): void {
    if (this.look(rel) === undefined) this.write(rel, bytes, mode)
    else if (bytes.byteLength > 0) this.write(rel, Buffer.concat([this.read(rel), bytes]), mode)
  }

  makeDirectory(rel: string, mode: number): void {
    this.#put(rel, { kind: 'directory', mode, modified: new Date(), isOwn: true })
  }

  makeLink(rel: string, target: string): void {
    this.#put(rel, { kind: 'link', target, modified: new Date() })
  }

  link(from: string, to: string): void {
    const found = this.look(from)
    if (found?.kind !== 'file') throw new HostFileError('EPERM')
    this.write(to, this.read(from), found.mode)
  }

  remove(rel: string): void {
    if (rel === '') throw new HostFileError('EBUSY')
    if (this.look(rel)?.kind === 'directory' && this.list(rel).size > 0) throw new HostFileError('ENOTEMPTY')
    const isBelow = !this.#own.hides(rel) && this.#host.look(rel) !== undefined
    this.#record.beforeChange(rel, this.#own.hides(rel))
    this.#own.drop(rel)
    if (isBelow) this.#own.set(rel, { kind: 'gone' })
    this.#record.removed(rel)
  }

  rename(from: string, to: string): void {
    const found = this.look(from)
    if (found === undefined) throw new HostFileError('ENOENT')
    const replaced = this.look(to)
    if (replaced?.kind === 'directory' && found.kind !== 'directory') throw new HostFileError('EISDIR')
    if (replaced !== undefined && replaced.kind !== 'directory' && found.kind === 'directory')
      throw new HostFileError('ENOTDIR')
    // Everything is read before anything changes.
    const moved = this.#collect(from)
    if (replaced !== undefined && found.kind === 'directory') this.remove(to)
    for (const [rel, entry] of moved) this.#put(to + rel.slice(from.length), entry)
    for (const [rel] of [...moved].reverse()) this.remove(rel)
  }

  chmod(rel: string, mode: number): void {
    const own = this.#copied(rel)
    if (own.kind === 'link') throw new HostFileError('EPERM')
    this.#put(rel, { ...own, mode }, 'mode')
  }

  setModified(rel: string, modified: Date): void {
    this.#own.set(rel, { ...this.#copied(rel), modified })
  }

  /** Puts an entry and records it as a change. */
  #put(rel: string, entry: Present, extent: 'all' | 'mode' = 'all'): void {
    this.#record.beforeChange(rel, this.#own.hides(rel))
    this.#own.set(rel, entry)
    this.#record.changed(rel, entry, extent)
  }

  /** What the sandbox sees of the host at a path, but for what it has there itself. */
  #onHost(rel: string): HostEntry | undefined {
    const own = this.#own.at(rel)
    if (own !== undefined && (own.kind !== 'directory' || own.isOwn)) return undefined
    return this.#own.hides(rel) ? undefined : this.#host.look(rel)
  }

  /** What is at a path, as it is kept in memory. */
  #copied(rel: string): Present {
    const own = this.#own.at(rel)
    if (own !== undefined && own.kind !== 'gone') return own
    const found = this.look(rel)
    if (found === undefined) throw new HostFileError('ENOENT')
    const { kind, mode, modified, target = '' } = found
    if (kind === 'file') return { kind, bytes: this.read(rel), mode, modified }
    return kind === 'link' ? { kind, target, modified } : { kind, mode, modified, isOwn: false }
  }

  /** What is at a path and below it, parents first, for another place. */
  #collect(rel: string, found: [string, Present][] = []): [string, Present][] {
    const entry = this.#copied(rel)
    found.push([rel, entry.kind === 'directory' ? { ...entry, isOwn: true } : entry])
    if (entry.kind === 'directory')
      for (const name of this.list(rel).keys()) this.#collect(childOf(rel, name), found)
    return found
  }

  #nodeOf(rel: string, own: Copied): Node | undefined {
    const identity = `${this.#prefix}:${rel}`
    switch (own.kind) {
      case 'gone':
        return undefined
      case 'file':
        return { kind: 'file', mode: own.mode, size: own.bytes.byteLength, modified: own.modified, identity }
      case 'directory':
        return { kind: 'directory', mode: own.mode, size: 0, modified: own.modified, identity }
      default: {
        const { target, modified } = own
        return { kind: 'link', mode: 0o777, size: Buffer.byteLength(target), modified, target, identity }
      }
    }
  }
}
