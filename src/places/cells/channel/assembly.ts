import { ProtocolError } from '../../../sandbox/errors.ts'
import { type Decoded, decode } from './decode.ts'
import { MAX_HEAD_BYTES, MAX_MESSAGE_BYTES, MAX_PARTS, tableBytes } from './wire.ts'

/** One message as its frames come in. Each part is gathered where it will stay. */
export class Assembly {
  /** Bytes of the head and of each part. */
  readonly #lengths: readonly number[]
  /** The head and the parts that have begun to come. */
  readonly #sections: Uint8Array<ArrayBuffer>[] = []
  /** Bytes that have come of the last of them. */
  #filled = 0
  /** The head, where it came in one piece: a view of the frame, good until the next one. */
  #head: Buffer | undefined
  #missing: number

  /** @param payload - that of the first frame. @param most - bytes that the message may have. */
  constructor(payload: Buffer, most = MAX_MESSAGE_BYTES) {
    this.#lengths = readTable(payload)
    this.#missing = this.#lengths.reduce((sum, length) => sum + length, 0)
    if (this.#missing > most) {
      throw new ProtocolError(`The far side announced a message of ${this.#missing} bytes (most: ${most}).`)
    }
    const content = payload.subarray(tableBytes(this.#lengths.length - 1))
    if (this.#lengths.length === 1 && content.length === this.#missing) {
      this.#head = content
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
      throw new ProtocolError(
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

  /** Reads the complete message. */
  read(): Decoded {
    if (this.#head !== undefined) return decode(this.#head, [])
    const [head, ...parts] = this.#sections
    return decode(Buffer.from(head?.buffer ?? new ArrayBuffer(0)), parts)
  }

  /** The section that the next byte belongs to. */
  #section(): Uint8Array<ArrayBuffer> {
    const last = this.#sections.at(-1)
    if (last !== undefined && this.#filled < last.length) return last
    this.#filled = 0
    const section = allocate(this.#lengths[this.#sections.length] ?? 0)
    this.#sections.push(section)
    return section
  }
}

function allocate(bytes: number): Uint8Array<ArrayBuffer> {
  try {
    return new Uint8Array(bytes)
  } catch (cause) {
    throw new ProtocolError(`There is no memory for ${bytes} bytes that the far side announced.`, { cause })
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
    throw new ProtocolError('The far side began a message with an impossible table of lengths.')
  }
  const lengths = [headBytes]
  for (let part = 0; part < parts; part++) {
    const bytes = payload.readUInt32LE(tableBytes(part))
    if (bytes === 0) throw new ProtocolError('The far side announced an empty part of a message.')
    lengths.push(bytes)
  }
  return lengths
}
