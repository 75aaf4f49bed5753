import { types } from 'node:util'
import { exceededBound } from './bounds.ts'
import { ProtocolBreach } from './errors.ts'

/** A message that was read, and the buffers in it: each is its own and can be transferred. */
export interface Decoded {
  readonly value: unknown
  readonly buffers: ArrayBuffer[]
}

/**
 * Reads a message from bytes of another process. They make no more memory than their own length and `MAX_VALUES`
 * allow, whatever they claim. A key `__proto__` becomes a property of that name.
 *
 * The result refers to `parts` that have a buffer of their own, and to no other bytes that it is given.
 *
 * @throws ProtocolBreach - they are not what `encode` writes.
 */
export function decode(head: Buffer, parts: readonly Buffer[]): Decoded {
  const root = parse(head.toString())
  if (!Array.isArray(root) || root.length !== parts.length + 1)
    throw wrong('does not say where its parts are')
  const buffers: ArrayBuffer[] = []
  for (const [index, part] of parts.entries()) {
    const place: unknown = root[index + 1]
    if (!Array.isArray(place)) throw wrong('has a part without a place')
    put(root, place.slice(1), contentOf(place[0], part, buffers))
  }
  return { value: root[0], buffers }
}

function parse(json: string): unknown {
  const exceeded = exceededBound(json)
  if (exceeded !== undefined) throw wrong(exceeded)
  try {
    return JSON.parse(json)
  } catch (cause) {
    throw new ProtocolBreach('A message of the far side is not JSON.', { cause })
  }
}

function contentOf(kind: unknown, part: Buffer, buffers: ArrayBuffer[]): unknown {
  switch (kind) {
    case 'bytes':
    case 'buffer': {
      const buffer = bufferOf(part)
      buffers.push(buffer)
      return kind === 'buffer' ? buffer : new Uint8Array(buffer)
    }
    case 'utf16le':
      if (part.length % 2 !== 0) throw wrong('has a string that ends in half a code unit')
      return part.toString(kind)
    case 'latin1':
      return part.toString(kind)
    default:
      throw wrong('has a part of an unknown kind')
  }
}

/** The buffer of a part, or one with a copy of its bytes where they share it with others. */
function bufferOf({ buffer, byteOffset, byteLength }: Buffer): ArrayBuffer {
  if (types.isArrayBuffer(buffer) && buffer.byteLength === byteLength) return buffer
  return new Uint8Array(new Uint8Array(buffer, byteOffset, byteLength)).buffer
}

/** Puts content where `null` keeps the place for it in the message. Only own properties are followed. */
function put(root: unknown[], path: readonly unknown[], content: unknown): void {
  let holder: object = root
  let last: string | number = 0
  for (const key of path) {
    const held: unknown = Reflect.get(holder, last)
    const isKey = typeof key === 'string' || typeof key === 'number'
    if (!isKey || typeof held !== 'object' || held === null || !Object.hasOwn(held, key)) {
      throw wrong('has a part that belongs nowhere')
    }
    holder = held
    last = key
  }
  if (Reflect.get(holder, last) !== null) throw wrong('has a part where another value is')
  Reflect.set(holder, last, content)
}

function wrong(what: string): ProtocolBreach {
  return new ProtocolBreach(`A message of the far side ${what}.`)
}
