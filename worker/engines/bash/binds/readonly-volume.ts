import { HostFileError } from '../../../host-files/errors.ts'
import type { LiveReader } from '../../../host-files/live-reader.ts'
import type { Node, Volume } from '../files/volume.ts'
import { nodeOf } from './live-volume.ts'

function refuse(): never {
  throw new HostFileError('EROFS')
}

/** A read-only bind: the host's files as they are now. */
export class ReadonlyVolume implements Volume {
  readonly #files: LiveReader
  readonly #maxFileSize: number
  readonly #prefix: string
  readonly write = refuse
  readonly append = refuse
  readonly makeDirectory = refuse
  readonly makeLink = refuse
  readonly link = refuse
  readonly remove = refuse
  readonly rename = refuse
  readonly chmod = refuse
  readonly setModified = refuse

  constructor(files: LiveReader, maxFileSize: number, prefix: string) {
    this.#files = files
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
}
