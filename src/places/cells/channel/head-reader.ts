import { ProtocolError } from '../../../sandbox/errors.ts'

/**
 * Reads what a `HeadWriter` of another process wrote. It never reads beyond the end.
 *
 * @throws ProtocolError - from any of its methods, where the head ends too early.
 */
export class HeadReader {
  readonly #head: Buffer
  #at = 0

  constructor(head: Buffer) {
    this.#head = head
  }

  /** True when all was read. */
  get done(): boolean {
    return this.#at === this.#head.length
  }

  byte(): number {
    return this.#head.readUInt8(this.#pass(1))
  }

  flag(): boolean {
    return this.byte() === 1
  }

  uint32(): number {
    return this.#head.readUInt32LE(this.#pass(4))
  }

  double(): number {
    return this.#head.readDoubleLE(this.#pass(8))
  }

  /** A copy, in a buffer of its own. */
  bytes(): ArrayBuffer {
    const length = this.uint32()
    const at = this.#pass(length)
    return new Uint8Array(this.#head.subarray(at, at + length)).buffer
  }

  text(): string {
    const size = this.uint32()
    const at = this.#pass(size >>> 1)
    return textOf(this.#head, (size & 1) === 1, at, this.#at)
  }

  /** Returns where the next `bytes` begin. */
  #pass(bytes: number): number {
    const at = this.#at
    if (at + bytes > this.#head.length) {
      throw new ProtocolError('A message of the far side ends in the middle of a value.')
    }
    this.#at = at + bytes
    return at
  }
}

/** @throws ProtocolError - the bytes end in the middle of a code unit. */
export function textOf(bytes: Buffer, wide: boolean, from = 0, to = bytes.length): string {
  if (wide && (to - from) % 2 !== 0) throw new ProtocolError('A string of the far side ends in half a unit.')
  return bytes.toString(wide ? 'utf16le' : 'latin1', from, to)
}
