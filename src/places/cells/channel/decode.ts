import { ProtocolError } from '../../../sandbox/errors.ts'
import { HeadReader, textOf } from './head-reader.ts'
import { asKind, errorTypes, HEAVY, MAX_DEPTH, MAX_WEIGHT, Tag } from './tags.ts'

/** A message that was read, and the buffers in it: each is its own and can be transferred. */
export interface Decoded {
  readonly value: unknown
  readonly buffers: ArrayBuffer[]
}

/**
 * Reads a message from bytes of another process. They make no more memory than their own length and `MAX_WEIGHT`
 * allow, whatever they claim. Nothing of the result refers to `head`; a part becomes a buffer of the message as it is.
 *
 * @throws ProtocolError - they are not what `encode` writes.
 */
export function decode(head: Buffer, parts: readonly Uint8Array<ArrayBuffer>[]): Decoded {
  const decoder = new Decoder(head, parts)
  try {
    const value = decoder.value(0)
    if (!decoder.done) throw new ProtocolError('A message of the far side holds more than its value.')
    return { value, buffers: decoder.buffers }
  } catch (error) {
    if (error instanceof ProtocolError) throw error
    throw new ProtocolError('A message of the far side holds a value that there is not.', { cause: error })
  }
}

class Decoder {
  readonly buffers: ArrayBuffer[] = []
  readonly #head: HeadReader
  readonly #parts: readonly Uint8Array<ArrayBuffer>[]
  #partsRead = 0
  readonly #seen: object[] = []
  #weight = 0

  constructor(head: Buffer, parts: readonly Uint8Array<ArrayBuffer>[]) {
    this.#head = new HeadReader(head)
    this.#parts = parts
  }

  get done(): boolean {
    return this.#head.done && this.#partsRead === this.#parts.length
  }

  value(depth: number): unknown {
    if (depth > MAX_DEPTH) throw wrong(`is nested deeper than ${MAX_DEPTH} levels`)
    this.#weigh(1)
    const tag = this.#head.byte()
    switch (tag) {
      case Tag.undefined:
        return undefined
      case Tag.null:
        return null
      case Tag.false:
        return false
      case Tag.true:
        return true
      case Tag.int32:
        return this.#head.uint32() | 0
      case Tag.double:
        return this.#head.double()
      case Tag.bigint:
        return this.#bigint()
      case Tag.string:
        return this.#head.text()
      case Tag.stringPart: {
        const wide = this.#head.flag()
        return textOf(Buffer.from(this.#part()), wide)
      }
      case Tag.seen:
        return this.#seenBefore(this.#head.uint32())
      default:
        return this.#object(tag, depth)
    }
  }

  #object(tag: number, depth: number): object {
    switch (tag) {
      case Tag.array:
        return this.#array(depth)
      case Tag.object:
        return this.#plain(depth)
      case Tag.map:
        return this.#map(depth)
      case Tag.set:
        return this.#set(depth)
      case Tag.date:
        return this.#see(new Date(this.#head.double()))
      case Tag.error:
        return this.#error(depth)
      case Tag.bytes: {
        const kind = this.#head.byte()
        return this.#view(kind, this.#head.bytes())
      }
      case Tag.bytesPart: {
        const kind = this.#head.byte()
        return this.#view(kind, this.#part())
      }
      default:
        throw wrong(`holds a value of the unknown kind ${tag}`)
    }
  }

  #array(depth: number): unknown[] {
    const count = this.#head.uint32()
    const values: unknown[] = this.#see([])
    for (let index = 0; index < count; index++) values.push(this.value(depth + 1))
    return values
  }

  #plain(depth: number): object {
    const count = this.#head.uint32()
    const object: Record<string, unknown> = this.#see({})
    for (let index = 0; index < count; index++) {
      const key = this.#head.text()
      const value = this.value(depth + 1)
      if (key === '__proto__') define(object, key, value, true)
      else object[key] = value
    }
    return object
  }

  #map(depth: number): Map<unknown, unknown> {
    this.#weigh(HEAVY)
    const count = this.#head.uint32()
    const map = this.#see(new Map<unknown, unknown>())
    for (let index = 0; index < count; index++) {
      const key = this.value(depth + 1)
      map.set(key, this.value(depth + 1))
    }
    return map
  }

  #set(depth: number): Set<unknown> {
    this.#weigh(HEAVY)
    const count = this.#head.uint32()
    const set = this.#see(new Set<unknown>())
    for (let index = 0; index < count; index++) set.add(this.value(depth + 1))
    return set
  }

  #error(depth: number): Error {
    this.#weigh(HEAVY)
    const Type = errorTypes[this.#head.uint32()]
    if (Type === undefined) throw wrong('holds an error of an unknown kind')
    const error = this.#see(new Type())
    const message = this.value(depth + 1)
    const stack = this.value(depth + 1)
    if (typeof message !== 'string' || (typeof stack !== 'string' && stack !== undefined)) {
      throw wrong('holds an error without a message')
    }
    define(error, 'message', message, false)
    define(error, 'stack', stack, false)
    if (this.#head.flag()) define(error, 'cause', this.value(depth + 1), false)
    return error
  }

  #view(kind: number, buffer: ArrayBuffer): object {
    this.#weigh(HEAVY)
    const view = asKind(kind, buffer)
    if (view === undefined) throw wrong('holds a view of an impossible kind')
    this.buffers.push(buffer)
    return this.#see(view)
  }

  #bigint(): bigint {
    const digits = this.#head.text()
    if (!/^-?[0-9a-f]+$/.test(digits)) throw wrong('holds a number without digits')
    return digits.startsWith('-') ? -BigInt(`0x${digits.slice(1)}`) : BigInt(`0x${digits}`)
  }

  #part(): ArrayBuffer {
    const part = this.#parts[this.#partsRead++]
    if (part === undefined) throw wrong('refers to a part that it does not have')
    return part.buffer
  }

  #see<T extends object>(object: T): T {
    this.#seen.push(object)
    return object
  }

  #seenBefore(number: number): object {
    const object = this.#seen[number]
    if (object === undefined) throw wrong('refers to an object that it does not hold')
    return object
  }

  #weigh(weight: number): void {
    this.#weight += weight
    if (this.#weight > MAX_WEIGHT) throw wrong(`weighs more than ${MAX_WEIGHT} values`)
  }
}

function wrong(what: string): ProtocolError {
  return new ProtocolError(`A message of the far side ${what}.`)
}

function define(object: object, key: string, value: unknown, enumerable: boolean): void {
  Object.defineProperty(object, key, { value, enumerable, configurable: true, writable: true })
}
