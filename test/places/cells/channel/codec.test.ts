import { MessageChannel } from 'node:worker_threads'
import { describe, expect, it } from 'vitest'
import { type Decoded, decode } from '../../../../src/places/cells/channel/decode.ts'
import { encode } from '../../../../src/places/cells/channel/encode.ts'
import { HEAVY, MAX_DEPTH, MAX_WEIGHT, Tag } from '../../../../src/places/cells/channel/tags.ts'
import { MAX_HEAD_BYTES, MAX_PARTS, PART_BYTES } from '../../../../src/places/cells/channel/wire.ts'
import { ProtocolError } from '../../../../src/sandbox/errors.ts'
import { cloneable } from './values.ts'

function cross(value: unknown): Decoded {
  const { head, parts } = encode(value)
  return decode(
    head,
    parts.map((part) => new Uint8Array(part)),
  )
}

function nested(levels: number): unknown {
  let value: unknown = null
  for (let level = 0; level < levels; level++) value = [value]
  return value
}

function failureOf(act: () => unknown): unknown {
  try {
    return act()
  } catch (error) {
    return error
  }
}

describe('what crosses', () => {
  it.each(cloneable)('%s arrives as structuredClone copies it', (_, value) => {
    expect(cross(value).value).toStrictEqual(structuredClone(value))
  })

  it('an object that is held twice is one object there, and a circle a circle', () => {
    const held = { name: 'held' }
    const circle: unknown[] = [held, held]
    circle.push(circle)
    const { value } = cross(circle)
    expect(value).toStrictEqual(circle)
    expect(Array.isArray(value) && value[0] === value[1] && value[2] === value).toBe(true)
  })

  it('a name that means more to JavaScript is a name like any other', () => {
    const value = JSON.parse('{"__proto__":{"polluted":true},"constructor":1}')
    const { value: arrived } = cross(value)
    expect(arrived).toStrictEqual(value)
    expect(Reflect.get(Object(arrived), 'polluted')).toBe(undefined)
  })

  it.each([10, PART_BYTES, 3 * PART_BYTES])(
    'of a view of %d bytes its own bytes cross, in a buffer of their own',
    (length) => {
      const whole = Buffer.alloc(4 * PART_BYTES, 'abc')
      const view = new Uint8Array(whole.buffer, whole.byteOffset + 5, length)
      const { value, buffers } = cross({ view, again: view })
      expect(value).toStrictEqual({ view: new Uint8Array(view), again: new Uint8Array(view) })
      expect(buffers.map(({ byteLength }) => byteLength)).toEqual([length])
    },
  )

  it('a long buffer is not copied to be sent', () => {
    const bytes = new Uint8Array(PART_BYTES)
    expect(encode({ bytes }).parts[0]?.buffer).toBe(bytes.buffer)
  })

  it('a message has any number of long buffers', () => {
    const sent = Array.from({ length: MAX_PARTS + 5 }, (_, index) => Buffer.alloc(PART_BYTES, `${index} `))
    const { value, buffers } = cross(sent)
    expect(Array.isArray(value) && value.length).toBe(sent.length)
    expect(buffers.map((buffer, index) => sent[index]?.equals(new Uint8Array(buffer)))).toEqual(
      sent.map(() => true),
    )
  })
})

describe('what does not cross is refused', () => {
  class Point {
    x = 1
  }
  class CodedError extends Error {
    readonly code = 'E'
  }
  const refused: readonly (readonly [string, unknown, RegExp])[] = [
    ['a function', () => 1, /a function/],
    ['a symbol', Symbol('a'), /a symbol/],
    ['a MessagePort', new MessageChannel().port1, /MessagePort/],
    ['a SharedArrayBuffer', new SharedArrayBuffer(8), /SharedArrayBuffer/],
    ['a view of one', new Uint8Array(new SharedArrayBuffer(8)), /SharedArrayBuffer/],
    ['an instance of a class', new Point(), /Point/],
    ['an error of a class of its own', new CodedError('a'), /CodedError/],
    ['an error with a property', Object.assign(new Error('a'), { code: 'E' }), /properties/],
    ['an array of holes', new Array(3), /holes/],
    ['an array with a hole and a name', Object.assign(new Array(1), { name: 1 }), /holes/],
    ['an array with a name', Object.assign([1], { name: 1 }), /names/],
    ['a regular expression', /a/, /RegExp/],
    ['a boxed string', Object('a'), /String/],
    ['a promise', Promise.resolve(), /Promise/],
    ['a WeakMap', new WeakMap(), /WeakMap/],
    ['a URL', new URL('http://localhost'), /URL/],
    ['a resizable buffer', Reflect.construct(ArrayBuffer, [1, { maxByteLength: 2 }]), /resizable/],
    [
      'a getter that throws',
      {
        get a() {
          throw new Error('mine')
        },
      },
      /could not be read/,
    ],
    ['what is nested too deep', nested(MAX_DEPTH + 1), /deeper/],
    ['too many values', new Array(MAX_WEIGHT).fill(null), /weighs/],
    [
      'too many short values',
      { a: Array.from({ length: 5000 }, () => 'a'.repeat(PART_BYTES - 1)) },
      /too large/,
    ],
  ]

  it.each(refused)('%s', (_, value, reason) => {
    const error = failureOf(() => encode([value]))
    expect(error).toBeInstanceOf(ProtocolError)
    expect(String(error)).toMatch(reason)
  })

  it('and the next message is none the worse for it', () => {
    expect(() => encode(['a', () => 1])).toThrow(ProtocolError)
    expect(cross(['b']).value).toEqual(['b'])
  })

  it('the deepest that crosses does', () => {
    expect(cross(nested(MAX_DEPTH)).value).toEqual(nested(MAX_DEPTH))
  })
})

describe('bytes of a hostile process', () => {
  const u32 = (value: number) => [value & 0xff, (value >>> 8) & 0xff, (value >>> 16) & 0xff, value >>> 24]
  const most = 0xffff_ffff
  const hostile: readonly (readonly [string, readonly number[]])[] = [
    ['an unknown kind of value', [99]],
    ['more than a value', [Tag.null, Tag.null]],
    ['a number cut short', [Tag.double, 0, 0]],
    ['a string longer than the message', [Tag.string, ...u32(most)]],
    ['half a character', [Tag.string, ...u32(3), 65]],
    ['an array longer than the message', [Tag.array, ...u32(most)]],
    ['an object larger than the message', [Tag.object, ...u32(most)]],
    ['a map larger than the message', [Tag.map, ...u32(most)]],
    ['a set larger than the message', [Tag.set, ...u32(most)]],
    ['a buffer longer than the message', [Tag.bytes, 0, ...u32(most)]],
    ['a view of an unknown kind', [Tag.bytes, 77, ...u32(0)]],
    ['a view that does not fit its buffer', [Tag.bytes, 10, ...u32(3), 1, 2, 3]],
    ['a part that is not there', [Tag.bytesPart, 1]],
    ['a string part that is not there', [Tag.stringPart, 0]],
    ['a reference to nothing', [Tag.seen, ...u32(0)]],
    ['an error of an unknown kind', [Tag.error, ...u32(70)]],
    ['an error whose message is none', [Tag.error, ...u32(0), Tag.null, Tag.undefined, 0]],
    ['digits that are none', [Tag.bigint, ...u32(2), 0x7a]],
    ['a sign without digits', [Tag.bigint, ...u32(2), 0x2d]],
    ['nothing', []],
  ]

  it.each(hostile)('%s is a ProtocolError', (_, bytes) => {
    expect(failureOf(() => decode(Buffer.from(bytes), []))).toBeInstanceOf(ProtocolError)
  })

  it('a part that nothing refers to is a ProtocolError', () => {
    expect(() => decode(Buffer.from([Tag.null]), [new Uint8Array(1)])).toThrow(ProtocolError)
  })

  it('nesting without end is a ProtocolError, not an overflow of the stack', () => {
    const bytes = Array.from({ length: 100_000 }, () => [Tag.array, ...u32(1)]).flat()
    expect(() => decode(Buffer.from(bytes), [])).toThrow(/deeper/)
  })

  it('many empty collections are too many before they are much memory', () => {
    const count = MAX_WEIGHT / HEAVY
    const bytes = Buffer.alloc(5 + count * 5)
    bytes.set([Tag.array, ...u32(count)])
    for (let index = 0; index < count; index++) bytes[5 + index * 5] = Tag.map
    expect(bytes.length).toBeLessThan(MAX_HEAD_BYTES)
    expect(() => decode(bytes, [])).toThrow(/weighs/)
  })
})
