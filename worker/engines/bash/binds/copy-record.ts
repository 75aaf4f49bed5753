import { digestOf } from '../../../host-files/digest.ts'
import { type Extent, type HostSide, Ledger } from '../../../host-files/ledger.ts'
import type { LiveReader } from '../../../host-files/live-reader.ts'
import type { HostEntry, SandboxEntry } from '../../../host-files/types.ts'
import { reasonToWithhold } from '../../../host-files/withhold.ts'
import type { Present } from './copied-files.ts'

/** How many files are remembered as they were when the sandbox read them. */
const MAX_READ = 50_000

/**
 * What the sandbox changed of a copy, and what the host had there when the sandbox last read it, or, where it never did,
 * when it made the change. What the host has later is a conflict.
 */
export class CopyRecord {
  readonly ledger = new Ledger()
  readonly #host: LiveReader
  /** Whether the host's side of a path is none of the copy's. */
  readonly isExcluded: (rel: string, isDirectory: boolean) => boolean
  readonly #read = new Map<string, HostSide>()
  readonly #touched = new Set<string>()

  constructor(host: LiveReader, isExcluded: (rel: string, isDirectory: boolean) => boolean) {
    this.#host = host
    this.isExcluded = isExcluded
  }

  /** The bytes of the host's file, whose read is remembered. @param most - bytes; a larger file is refused with `EFBIG`. */
  readHost(rel: string, most: number): Uint8Array {
    const file = this.#host.tree.read(rel, most)
    // It is too large, written without a pause, or gone: the plain read has the right error, or what is there now.
    if (typeof file === 'string') return this.#host.read(rel, most)
    this.remember(rel, sideOf(file.entry, file.bytes))
    return file.bytes
  }

  /** What the host had when the sandbox last read a path, where it has not changed it since. */
  readAt(rel: string): HostSide | undefined {
    return this.ledger.at(rel) === undefined ? this.#read.get(rel) : undefined
  }

  /** The sandbox has read what the host had. */
  remember(rel: string, side: HostSide): void {
    if (!this.#read.has(rel) && this.#read.size >= MAX_READ) {
      for (const path of this.#read.keys()) this.#touched.add(path)
      this.#read.clear()
    }
    this.#read.set(rel, side)
    this.#touched.add(rel)
  }

  /** The paths that were read, or are remembered no more, since the last time that this was asked. */
  takeRead(): string[] {
    const touched = [...this.#touched]
    this.#touched.clear()
    return touched
  }

  /** Notes what the host has at a path that the sandbox changes for the first time. */
  beforeChange(rel: string, isHidden: boolean): void {
    if (this.ledger.at(rel) !== undefined) return
    const side = this.#read.get(rel) ?? (isHidden ? undefined : this.#lookAtHost(rel))
    if (side?.host !== undefined) this.ledger.recordBroughtIn(rel, asInSandbox(side.host), side)
    if (this.#read.has(rel)) this.#touched.add(rel)
  }

  changed(rel: string, entry: Present, extent: Extent): void {
    if (this.isExcluded(rel, entry.kind === 'directory')) return
    const found: SandboxEntry = {
      kind: entry.kind,
      mode: entry.kind === 'link' ? 0o777 : entry.mode,
      size: entry.kind === 'file' ? entry.bytes.byteLength : 0,
      shown: '',
      ...(entry.kind === 'link' ? { target: entry.target } : {}),
    }
    this.ledger.recordChanged(rel, found, extent)
    const reason = reasonToWithhold(rel, found)
    if (reason !== undefined) this.ledger.withhold(rel, reason)
  }

  removed(rel: string): void {
    this.ledger.recordRemoved(rel)
  }

  #lookAtHost(rel: string): HostSide | undefined {
    const entry = this.#host.look(rel)
    if (entry === undefined) return undefined
    const file = entry.kind === 'file' && entry.fresh ? this.#host.tree.read(rel) : undefined
    return typeof file === 'object' ? sideOf(file.entry, file.bytes) : { host: entry }
  }
}

/** Where times do not tell a later change, the content does. */
function sideOf(host: HostEntry, bytes: Uint8Array): HostSide {
  return host.fresh ? { host, digest: digestOf(bytes) } : { host }
}

function asInSandbox({ kind, mode, size, target }: HostEntry): SandboxEntry {
  return { kind, mode, size, shown: '', ...(target === undefined ? {} : { target }) }
}
