import type { LiveReader } from '../../../host-files/live-reader.ts'
import type { HostEntry } from '../../../host-files/types.ts'
import type { Node } from '../files/volume.ts'

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

/** Reads of the host's files as they are now. */
export class HostReads {
  readonly #files: LiveReader
  readonly #prefix: string
  /** Bytes that a file may have to be read. */
  protected readonly maxFileSize: number

  /** @param prefix - what no other volume of the sandbox has. */
  constructor(files: LiveReader, maxFileSize: number, prefix: string) {
    this.#files = files
    this.#prefix = prefix
    this.maxFileSize = maxFileSize
  }

  look(rel: string): Node | undefined {
    const entry = this.#files.look(rel)
    return entry === undefined ? undefined : nodeOf(entry, this.#prefix)
  }

  /** The host's files are opened by paths without links. */
  lookThrough(rel: string): Node | undefined {
    return this.look(rel)
  }

  list(rel: string): ReadonlyMap<string, Pick<Node, 'kind'>> {
    return this.#files.list(rel)
  }

  read(rel: string): Uint8Array {
    return this.#files.read(rel, this.maxFileSize)
  }
}
