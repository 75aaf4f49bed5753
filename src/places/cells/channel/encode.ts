import { ProtocolError } from '../../../sandbox/errors.ts'
import { HeadWriter, isWide } from './head-writer.ts'
import { errorTypes, HEAVY, MAX_DEPTH, MAX_WEIGHT, Tag, viewKind } from './tags.ts'
import { MAX_PARTS, PART_BYTES } from './wire.ts'

/** A message as bytes: its structure, and the long strings and buffers of it, in their order. */
export interface Encoded {
  readonly head: Buffer
  readonly parts: readonly Buffer[]
}

/**
 * Writes a message as bytes. Plain objects, arrays, `Map`, `Set`, `Date`, errors, buffers, their views and every
 * primitive but symbols cross as `structuredClone` copies them, with one difference: of a view its own bytes cross, in
 * a buffer of their own.
 *
 * Long buffers are not copied: leave them alone until the message is sent.
 *
 * @throws ProtocolError - the message holds something else, or is too large, too deep or too rich.
 */
export function encode(message: unknown): Encoded {
  const encoder = new Encoder()
  try {
    encoder.value(message, 0)
    return { head: encoder.head.finish(), parts: encoder.parts }
  } catch (error) {
    if (error instanceof ProtocolError) throw error
    throw new ProtocolError('A message could not be read while it was sent.', { cause: error })
  } finally {
    encoder.head.release()
  }
}

class Encoder {
  readonly head = new HeadWriter()
  readonly parts: Buffer[] = []
  readonly #seen = new Map<object, number>()
  #weight = 0

  value(value: unknown, depth: number): void {
    this.#weigh(1)
    if (typeof value === 'string') this.#string(value)
    else if (typeof value === 'number') this.#number(value)
    else if (typeof value === 'boolean') this.head.byte(value ? Tag.true : Tag.false)
    else if (value === undefined) this.head.byte(Tag.undefined)
    else if (value === null) this.head.byte(Tag.null)
    else if (typeof value === 'object') this.#object(value, depth)
    else if (typeof value === 'bigint') {
      this.head.byte(Tag.bigint)
      this.head.text(value.toString(16))
    } else throw cannotCross(`a ${typeof value}`)
  }

  #object(value: object, depth: number): void {
    const number = this.#seen.get(value)
    if (number !== undefined) {
      this.head.counted(Tag.seen, number)
      return
    }
    if (depth === MAX_DEPTH) throw new ProtocolError(`A message is nested deeper than ${MAX_DEPTH} levels.`)
    this.#seen.set(value, this.#seen.size)
    const prototype: unknown = Object.getPrototypeOf(value)
    if (prototype === Object.prototype || prototype === null) this.#plain(value, depth)
    else if (Array.isArray(value)) this.#array(value, depth)
    else if (ArrayBuffer.isView(value)) this.#view(value)
    else if (value instanceof ArrayBuffer) this.#bytes(0, value, 0, value.byteLength)
    else if (value instanceof Map && prototype === Map.prototype) this.#map(value, depth)
    else if (value instanceof Set && prototype === Set.prototype) this.#set(value, depth)
    else if (value instanceof Date && prototype === Date.prototype) this.#double(Tag.date, value.getTime())
    else if (value instanceof Error) this.#error(value, depth)
    else throw cannotCross(`an object of the class ${nameOf(prototype)}`)
  }

  #plain(value: object, depth: number): void {
    const keys = Object.keys(value)
    this.head.counted(Tag.object, keys.length)
    for (const key of keys) {
      this.head.text(key)
      this.value(Reflect.get(value, key), depth + 1)
    }
  }

  #array(values: readonly unknown[], depth: number): void {
    if (Object.keys(values).length !== values.length) throw cannotCross('an array with holes or names')
    this.head.counted(Tag.array, values.length)
    for (const [index, item] of values.entries()) {
      if (item === undefined && !Object.hasOwn(values, index)) throw cannotCross('an array with holes')
      this.value(item, depth + 1)
    }
  }

  #map(map: ReadonlyMap<unknown, unknown>, depth: number): void {
    this.#weigh(HEAVY)
    this.head.counted(Tag.map, map.size)
    for (const [key, item] of map) {
      this.value(key, depth + 1)
      this.value(item, depth + 1)
    }
  }

  #set(set: ReadonlySet<unknown>, depth: number): void {
    this.#weigh(HEAVY)
    this.head.counted(Tag.set, set.size)
    for (const item of set) this.value(item, depth + 1)
  }

  #error(error: Error, depth: number): void {
    const prototype: unknown = Object.getPrototypeOf(error)
    const type = errorTypes.findIndex((known) => known.prototype === prototype)
    if (type < 0) throw cannotCross(`an error of the class ${nameOf(prototype)}`)
    if (Object.keys(error).length > 0) throw cannotCross('an error with properties of its own')
    this.#weigh(HEAVY)
    this.head.counted(Tag.error, type)
    this.value(error.message, depth + 1)
    this.value(error.stack, depth + 1)
    const caused = Object.hasOwn(error, 'cause')
    this.head.byte(caused ? 1 : 0)
    if (caused) this.value(error.cause, depth + 1)
  }

  #view(view: ArrayBufferView): void {
    const kind = viewKind(Object.prototype.toString.call(view).slice('[object '.length, -1))
    if (kind === undefined) throw cannotCross('a view of an unknown kind')
    this.#bytes(kind, view.buffer, view.byteOffset, view.byteLength)
  }

  #bytes(kind: number, buffer: ArrayBufferLike, offset: number, length: number): void {
    if (!(buffer instanceof ArrayBuffer)) throw cannotCross('a view of a SharedArrayBuffer')
    if ('resizable' in buffer && buffer.resizable === true) throw cannotCross('a resizable buffer')
    this.#weigh(HEAVY)
    const bytes = Buffer.from(buffer, offset, length)
    const apart = this.#travelsApart(length)
    this.head.byte(apart ? Tag.bytesPart : Tag.bytes)
    this.head.byte(kind)
    if (apart) this.#part(bytes)
    else this.head.bytes(bytes)
  }

  #string(text: string): void {
    if (!this.#travelsApart(text.length)) {
      this.head.byte(Tag.string)
      this.head.text(text)
      return
    }
    const wide = isWide(text)
    this.head.byte(Tag.stringPart)
    this.head.byte(wide ? 1 : 0)
    this.#part(Buffer.from(text, wide ? 'utf16le' : 'latin1'))
  }

  #number(value: number): void {
    if (Object.is(value | 0, value)) this.head.counted(Tag.int32, value >>> 0)
    else this.#double(Tag.double, value)
  }

  #double(tag: number, value: number): void {
    this.head.byte(tag)
    this.head.double(value)
  }

  #travelsApart(length: number): boolean {
    return length >= PART_BYTES && this.parts.length < MAX_PARTS
  }

  #part(bytes: Buffer): void {
    this.head.beside(bytes.length)
    this.parts.push(bytes)
  }

  #weigh(weight: number): void {
    this.#weight += weight
    if (this.#weight > MAX_WEIGHT) throw new ProtocolError(`A message weighs more than ${MAX_WEIGHT} values.`)
  }
}

function cannotCross(what: string): ProtocolError {
  return new ProtocolError(`A message holds ${what}, which does not cross to another process.`)
}

function nameOf(prototype: unknown): string {
  const named: unknown =
    typeof prototype === 'object' && prototype !== null ? Reflect.get(prototype, 'constructor') : undefined
  return typeof named === 'function' && named.name !== '' ? named.name : 'unknown'
}
