import type { ContentSource } from './content-reader.ts'
import { type Decoded, decode } from './decode.ts'
import { ProtocolBreach } from './errors.ts'
import { IN_CONTENT_FILE, MAX_HEAD_BYTES, MAX_MESSAGE_BYTES, MAX_PARTS, tableBytes } from './wire.ts'

/** One message as its frames come in. Each part is gathered where it will stay. */
export class Assembly {
  /** Bytes of the head and of each part that is in the frames. */
  readonly #lengths: readonly number[]
  /** The part that is not, and its place among the others. */
  readonly #content: { readonly bytes: Buffer; readonly index: number } | undefined
  /** The head and the parts that have begun to come; views of the frame where it has all of the message. */
  #sections: Buffer[] = []
  /** Bytes that have come of the last of them. */
  #filled = 0
  #missing: number

  /**
   * @param payload - that of the first frame.
   * @param most - bytes that the message may have.
   * @param contents - where a part is that is not in the frames. Default: all are.
   */
  constructor(payload: Buffer, most = MAX_MESSAGE_BYTES, contents?: ContentSource) {
    const table = readTable(payload)
    const index = contents === undefined ? -1 : contentIn(table)
    const contentBytes = index < 0 ? 0 : (table[index] ?? 0) - IN_CONTENT_FILE
    this.#lengths = table.filter((_, place) => place !== index)
    this.#missing = this.#lengths.reduce((sum, length) => sum + length, 0)
    if (this.#missing + contentBytes > most) {
      throw new ProtocolBreach(
        `The far side announced a message of ${this.#missing + contentBytes} bytes (most: ${most}).`,
      )
    }
    if (contents !== undefined && index > 0) this.#content = { bytes: contents.take(contentBytes), index }
    const content = payload.subarray(tableBytes(table.length - 1))
    if (content.length === this.#missing) {
      this.#sections = split(content, this.#lengths)
      this.#missing = 0
    } else this.add(content)
  }

  /** True when all of the message has come. */
  get complete(): boolean {
    return this.#missing === 0
  }

  /** Takes what comes next of the message. */
  add(content: Buffer): void {
    if (content.length === 0 || content.length > this.#missing) {
      throw new ProtocolBreach(
        `The far side sent ${content.length} bytes of a message that lacks ${this.#missing}.`,
      )
    }
    this.#missing -= content.length
    for (let at = 0; at < content.length; ) {
      const section = this.#section()
      const piece = content.subarray(at, at + section.length - this.#filled)
      section.set(piece, this.#filled)
      this.#filled += piece.length
      at += piece.length
    }
  }

  /** Reads the complete message: before the next frame is read. Only parts without bytes have not begun by then. */
  read(): Decoded {
    while (this.#sections.length < this.#lengths.length) this.#sections.push(allocate(0))
    const sections = [...this.#sections]
    if (this.#content !== undefined) sections.splice(this.#content.index, 0, this.#content.bytes)
    const [head = allocate(0), ...parts] = sections
    return decode(head, parts)
  }

  /** The section that the next byte belongs to. */
  #section(): Buffer {
    const last = this.#sections.at(-1)
    if (last !== undefined && this.#filled < last.length) return last
    this.#filled = 0
    const section = allocate(this.#lengths[this.#sections.length] ?? 0)
    this.#sections.push(section)
    return section
  }
}

/** True where a part of the message that this frame begins is in the content file. */
export function namesContent(payload: Buffer): boolean {
  return contentIn(readTable(payload)) > 0
}

/** Which part that is: the first; -1 where none is. */
function contentIn(table: readonly number[]): number {
  return table.findIndex((length, place) => place > 0 && length >= IN_CONTENT_FILE)
}

function split(content: Buffer, lengths: readonly number[]): Buffer[] {
  let end = 0
  return lengths.map((length) => {
    end += length
    return content.subarray(end - length, end)
  })
}

/** In a buffer of its own, whose pages cost no memory until something is written to them. */
function allocate(bytes: number): Buffer {
  try {
    return Buffer.from(new ArrayBuffer(bytes))
  } catch (cause) {
    throw new ProtocolBreach(`There is no memory for ${bytes} bytes that the far side announced.`, { cause })
  }
}

function readTable(payload: Buffer): number[] {
  const headBytes = payload.length < tableBytes(0) ? 0 : payload.readUInt32LE(0)
  const parts = headBytes === 0 ? 0 : payload.readUInt32LE(4)
  if (
    headBytes === 0 ||
    headBytes > MAX_HEAD_BYTES ||
    parts > MAX_PARTS ||
    payload.length < tableBytes(parts)
  ) {
    throw new ProtocolBreach('The far side began a message with an impossible table of lengths.')
  }
  const lengths = [headBytes]
  for (let part = 0; part < parts; part++) lengths.push(payload.readUInt32LE(tableBytes(part)))
  return lengths
}
