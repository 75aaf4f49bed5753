import { types } from 'node:util'
import { isPlain } from '../contract/plain.ts'
import { MAX_DEPTH, MAX_VALUES } from './bounds.ts'
import { ProtocolBreach } from './errors.ts'
import type { Head, PartKind, PartPlace } from './head.ts'
import { LONG_TEXT, MAX_HEAD_BYTES, MAX_MESSAGE_BYTES, MAX_PARTS } from './wire.ts'

/** A message as bytes: its head in JSON, and beside it the bytes and long strings, in their order. */
export interface Encoded {
  readonly head: Buffer
  readonly parts: readonly Buffer[]
  /** Memory that is given back: it can be used again here. */
  readonly spare?: ArrayBuffer | undefined
}

/** In the place of memory that is given back: it may be in use again before the message is written. */
const GIVEN_BACK = Buffer.alloc(0)

/**
 * Writes a message as bytes. What crosses: plain objects, arrays, strings of any code units, finite numbers, booleans,
 * null and `Uint8Array`. A property that is undefined is left out; -0 becomes 0; an object that is held twice becomes
 * two; of a `Uint8Array` its own bytes cross, in a buffer of their own. An `ArrayBuffer` is memory that is given back,
 * which no other process can have: it becomes an empty one.
 *
 * Bytes are not copied: leave them alone until the message is sent.
 *
 * @throws ProtocolBreach - the message holds something else, or is too large, too deep or has too many values.
 */
export function encode(message: unknown): Encoded {
  try {
    return new Encoder().encode(message)
  } catch (error) {
    if (error instanceof ProtocolBreach) throw error
    throw new ProtocolBreach('A message could not be read while it was sent.', { cause: error })
  }
}

class Encoder {
  readonly #parts: Buffer[] = []
  readonly #places: PartPlace[] = []
  /** The keys that lead to the value that is being prepared. */
  readonly #path: (string | number)[] = []
  #spare: ArrayBuffer | undefined
  #values = 0
  #headBytes = 0
  #partBytes = 0

  encode(message: unknown): Encoded {
    const prepared = this.#prepare(message)
    if (prepared === undefined) throw cannotCross('undefined')
    const whole: Head = [prepared, ...this.#places]
    const head = Buffer.from(JSON.stringify(whole))
    this.#checkSize(head.length)
    return { head, parts: this.#parts, spare: this.#spare }
  }

  /** The value as JSON can have it: itself, or a copy without what crosses as a part. */
  #prepare(value: unknown): unknown {
    this.#count(1)
    switch (typeof value) {
      case 'string':
        return this.#prepareText(value)
      case 'number':
        if (!Number.isFinite(value)) throw cannotCross(`the number ${value}`)
        return value
      case 'boolean':
      case 'undefined':
        return value
      case 'object':
        return value === null ? null : this.#prepareObject(value)
      default:
        throw cannotCross(`a ${typeof value}`)
    }
  }

  #prepareText(text: string): unknown {
    if (text.length < LONG_TEXT || this.#parts.length === MAX_PARTS) {
      this.#headBytes += text.length
      this.#checkSize(this.#headBytes)
      return text
    }
    const kind = /[\u0100-\uffff]/.test(text) ? 'utf16le' : 'latin1'
    return this.#setApart(kind, Buffer.from(text, kind))
  }

  #prepareObject(value: object): unknown {
    const prototype: unknown = Object.getPrototypeOf(value)
    if (prototype === Object.prototype || prototype === null) return this.#prepareFields(value)
    if (Array.isArray(value)) return this.#prepareItems(value)
    if (types.isUint8Array(value)) {
      return this.#setApart('bytes', bytesOf(value.buffer, value.byteOffset, value.byteLength))
    }
    if (types.isArrayBuffer(value)) {
      requireFixed(value)
      this.#spare = value
      return this.#setApart('buffer', GIVEN_BACK)
    }
    if (isPlain(value)) return this.#prepareFields(value)
    throw cannotCross(`an object of the class ${nameOf(prototype)}`)
  }

  #prepareFields(fields: object): object {
    let copy: Record<string, unknown> | undefined
    this.#checkDepth()
    for (const key of Object.keys(fields)) {
      const value: unknown = Reflect.get(fields, key)
      if (value === undefined) continue
      this.#headBytes += key.length
      this.#path.push(key)
      const prepared = this.#prepare(value)
      this.#path.pop()
      if (prepared === value) continue
      copy ??= { ...fields } // Has `__proto__` as a property of its own, too.
      copy[key] = prepared
    }
    return copy ?? fields
  }

  #prepareItems(items: readonly unknown[]): readonly unknown[] {
    let copy: unknown[] | undefined
    this.#checkDepth()
    if (this.#values + items.length > MAX_VALUES) this.#count(items.length)
    if (Object.keys(items).length !== items.length) throw cannotCross('an array with holes or names')
    for (const [index, item] of items.entries()) {
      if (item === undefined) throw cannotCross('an array with undefined')
      this.#path.push(index)
      const prepared = this.#prepare(item)
      this.#path.pop()
      if (prepared === item) continue
      copy ??= [...items]
      copy[index] = prepared
    }
    return copy ?? items
  }

  /** Has bytes cross as a part; `null` takes their place. */
  #setApart(kind: PartKind, bytes: Buffer): null {
    if (this.#parts.length === MAX_PARTS) throw cannotCross(`more than ${MAX_PARTS} buffers`)
    this.#places.push([kind, ...this.#path])
    this.#parts.push(bytes)
    this.#partBytes += bytes.length
    this.#checkSize(this.#headBytes)
    return null
  }

  #count(values: number): void {
    this.#values += values
    if (this.#values > MAX_VALUES) throw new ProtocolBreach(`A message has more than ${MAX_VALUES} values.`)
  }

  /** The head has a level of its own. */
  #checkDepth(): void {
    if (this.#path.length + 2 <= MAX_DEPTH) return
    throw new ProtocolBreach(`A message is nested deeper than ${MAX_DEPTH} levels.`)
  }

  #checkSize(headBytes: number): void {
    if (headBytes <= MAX_HEAD_BYTES && headBytes + this.#partBytes <= MAX_MESSAGE_BYTES) return
    const most = `${MAX_MESSAGE_BYTES} bytes, ${MAX_HEAD_BYTES} of them short values`
    throw new ProtocolBreach(`A message is too large to cross to another process (most: ${most}).`)
  }
}

function bytesOf(buffer: ArrayBufferLike, offset: number, length: number): Buffer {
  if (!types.isArrayBuffer(buffer)) throw cannotCross('a view of a SharedArrayBuffer')
  requireFixed(buffer)
  return Buffer.from(buffer, offset, length)
}

function requireFixed(buffer: ArrayBuffer): void {
  if ('resizable' in buffer && buffer.resizable === true) throw cannotCross('a resizable buffer')
}

function cannotCross(what: string): ProtocolBreach {
  return new ProtocolBreach(`A message holds ${what}, which does not cross to another process.`)
}

function nameOf(prototype: unknown): string {
  const named: unknown =
    typeof prototype === 'object' && prototype !== null ? Reflect.get(prototype, 'constructor') : undefined
  return typeof named === 'function' && named.name !== '' ? named.name : 'unknown'
}
