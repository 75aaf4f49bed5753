import { ProtocolError } from '../../../sandbox/errors.ts'
import { MAX_HEAD_BYTES, MAX_MESSAGE_BYTES } from './wire.ts'

const spareBytes = 16 * 1024
/** Characters of a string that a loop writes. */
const SHORT_TEXT = 32

/** What short heads are written into; taken while one is. */
let spare: Buffer | undefined = Buffer.allocUnsafeSlow(spareBytes)

/** Writes the head of a message. Numbers are little endian. */
export class HeadWriter {
  readonly #scratch: Buffer
  #buffer: Buffer
  #at = 0
  #partBytes = 0

  constructor() {
    this.#scratch = spare ?? Buffer.allocUnsafeSlow(spareBytes)
    this.#buffer = this.#scratch
    spare = undefined
  }

  /** The bytes so far, in a buffer of their own. */
  finish(): Buffer {
    const head = this.#buffer.subarray(0, this.#at)
    return this.#buffer === this.#scratch ? Buffer.from(head) : head
  }

  /** Nothing is written any more. */
  release(): void {
    spare = this.#scratch
  }

  byte(value: number): void {
    this.#reserve(1)
    this.#buffer[this.#at++] = value
  }

  uint32(value: number): void {
    this.#reserve(4)
    this.#at = this.#buffer.writeUInt32LE(value, this.#at)
  }

  double(value: number): void {
    this.#reserve(8)
    this.#at = this.#buffer.writeDoubleLE(value, this.#at)
  }

  /** A tag and a count. */
  counted(tag: number, count: number): void {
    this.byte(tag)
    this.uint32(count)
  }

  bytes(bytes: Buffer): void {
    this.uint32(bytes.length)
    this.#reserve(bytes.length)
    this.#at += bytes.copy(this.#buffer, this.#at)
  }

  /** Strings keep their code units: no encoding of characters has a place for halves of pairs. */
  text(text: string): void {
    if (text.length <= SHORT_TEXT && this.#shortText(text)) return
    const wide = isWide(text)
    const bytes = wide ? text.length * 2 : text.length
    this.uint32(bytes * 2 + (wide ? 1 : 0))
    this.#reserve(bytes)
    this.#at += this.#buffer.write(text, this.#at, wide ? 'utf16le' : 'latin1')
  }

  /** For a few characters a loop is faster than a call into Node. False: some of them are wide. */
  #shortText(text: string): boolean {
    this.#reserve(4 + text.length)
    const begin = this.#at + 4
    for (let index = 0; index < text.length; index++) {
      const unit = text.charCodeAt(index)
      if (unit > 0xff) return false
      this.#buffer[begin + index] = unit
    }
    this.uint32(text.length * 2)
    this.#at += text.length
    return true
  }

  /** Counts what travels beside the head. */
  beside(bytes: number): void {
    this.#partBytes += bytes
    this.#checkSize(this.#at)
  }

  #reserve(bytes: number): void {
    const needed = this.#at + bytes
    if (needed <= this.#buffer.length) return
    this.#checkSize(needed)
    const larger = Buffer.allocUnsafeSlow(Math.min(Math.max(needed, this.#buffer.length * 2), MAX_HEAD_BYTES))
    this.#buffer.copy(larger, 0, 0, this.#at)
    this.#buffer = larger
  }

  #checkSize(head: number): void {
    if (head <= MAX_HEAD_BYTES && head + this.#partBytes <= MAX_MESSAGE_BYTES) return
    const most = `${MAX_MESSAGE_BYTES} bytes, ${MAX_HEAD_BYTES} of them short values`
    throw new ProtocolError(`A message is too large to cross to another process (most: ${most}).`)
  }
}

/** True where a string has code units of two bytes. */
export function isWide(text: string): boolean {
  return /[\u0100-\uffff]/.test(text)
}
