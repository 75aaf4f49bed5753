import { readSync } from 'node:fs'
import { ProtocolBreach } from './errors.ts'

/** Where the content of a message comes from that is not in its frames. */
export interface ContentSource {
  /** Takes it. @throws ProtocolBreach - it is not there */
  take(bytes: number): Buffer
  /** It is of no use any more. */
  skip(): void
}

/** The cell's side of a content file. */
export class ContentReader {
  readonly #fd: number
  #spare: WeakRef<ArrayBuffer> | undefined

  constructor(fd: number) {
    this.#fd = fd
  }

  /** Reads a content that the host has put there. @throws ProtocolBreach - it is not there */
  read(bytes: number): Buffer {
    const spare = this.#spare?.deref()
    this.#spare = undefined
    const content = Buffer.from(spare?.byteLength === bytes ? spare : new ArrayBuffer(bytes))
    for (let at = 0; at < bytes; ) {
      const count = this.#readAt(content, at)
      if (count === 0) throw new ProtocolBreach(`The host has put ${at} bytes of ${bytes} of a content.`)
      at += count
    }
    return content
  }

  /** A buffer that is not needed any more: touching fresh pages costs more than the copy itself. */
  reuse(buffer: ArrayBuffer): void {
    this.#spare = new WeakRef(buffer)
  }

  #readAt(content: Buffer, at: number): number {
    try {
      return readSync(this.#fd, content, at, content.length - at, at)
    } catch (cause) {
      throw new ProtocolBreach('A content of the host cannot be read.', { cause })
    }
  }
}
