import { MessageChannel } from 'node:worker_threads'
import { describe, expect, it } from 'vitest'
import { MAX_DEPTH, MAX_VALUES } from '../../src/channel/bounds.ts'
import { type Decoded, decode } from '../../src/channel/decode.ts'
import { encode } from '../../src/channel/encode.ts'
import { ProtocolBreach } from '../../src/channel/errors.ts'
import { LONG_TEXT, MAX_HEAD_BYTES, MAX_PARTS } from '../../src/channel/wire.ts'
import { crossing } from './values.ts'

function cross(value: unknown): Decoded {
  const { head, parts } = encode(value)
  return decode(head, parts.map(copyOf))
}

/** In a buffer of its own, as a part arrives that comes in several frames. */
function copyOf(bytes: Uint8Array): Buffer {
  return Buffer.from(new Uint8Array(bytes).buffer)
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

describe('encode and decode', () => {
  it.each(crossing)('carry $kind', ({ value, arrives }) => {
    expect(cross(value).value).toStrictEqual(arrives)
  })

  it('leave memory alone that is given back: it may be in use again', () => {
    const memory = new ArrayBuffer(8)
    const { head, parts } = encode({ memory })
    structuredClone(memory, { transfer: [memory] })
    expect(Buffer.concat([head, ...parts])).toEqual(head)
  })

  it('make two objects of one that is held twice', () => {
    const held = { name: 'held' }
    const { value } = cross([held, held])
    expect(value).toStrictEqual([held, held])
    expect(Array.isArray(value) && value[0] !== value[1]).toBe(true)
  })

  it.each(['short', 'a'.repeat(LONG_TEXT), new Uint8Array(3)])(
    'carry keys that JavaScript gives a meaning as ordinary keys (%#)',
    (content) => {
      const value = JSON.parse('{"__proto__":{"polluted":true},"constructor":1,"toJSON":2}')
      Object.defineProperty(value, '__proto__', { value: content, enumerable: true })
      const { value: arrived } = cross(value)
      expect(arrived).toStrictEqual(value)
      expect(Object.getPrototypeOf(arrived)).toBe(Object.prototype)
      expect(Object.getOwnPropertyDescriptor(arrived, '__proto__')?.value).toStrictEqual(content)
    },
  )

  it('carry an object under `__proto__` without changing any prototype', () => {
    const { value } = cross(JSON.parse('{"__proto__":{"polluted":true}}'))
    expect(Reflect.get(Object(value), 'polluted')).toBe(undefined)
    expect(Reflect.get({}, 'polluted')).toBe(undefined)
  })

  it.each([10, 70_000])('carry of a view of %d bytes its own bytes, in a buffer of their own', (length) => {
    const whole = Buffer.alloc(200_000, 'abc')
    const view = new Uint8Array(whole.buffer, whole.byteOffset + 5, length)
    const { value, buffers } = cross({ view, again: view })
    expect(value).toStrictEqual({ view: new Uint8Array(view), again: new Uint8Array(view) })
    expect(buffers.map(({ byteLength }) => byteLength)).toEqual([length, length])
  })

  it('copy no bytes when they send them', () => {
    const bytes = new Uint8Array(10)
    expect(encode({ bytes }).parts[0]?.buffer).toBe(bytes.buffer)
  })

  it('copy bytes out of a frame, which is used again', () => {
    const frame = Buffer.from('a frame with bytes')
    const { head } = encode([new Uint8Array(5)])
    const { value, buffers } = decode(head, [frame.subarray(2, 7)])
    frame.fill(0)
    expect(value).toStrictEqual([new Uint8Array(Buffer.from('frame'))])
    expect(buffers.map(({ byteLength }) => byteLength)).toEqual([5])
  })

  it('carry more long strings than a message has parts', () => {
    const sent = Array.from({ length: MAX_PARTS + 5 }, (_, index) => `${index} `.repeat(LONG_TEXT))
    expect(encode(sent).parts.length).toBe(MAX_PARTS)
    expect(cross(sent).value).toEqual(sent)
  })
})

describe('encode rejects', () => {
  class Point {
    x = 1
  }
  const circle: unknown[] = []
  circle.push(circle)
  const doubling = Array.from({ length: 40 }).reduce<unknown>((held) => [held, held], [])
  const refused: readonly (readonly [string, unknown, RegExp])[] = [
    ['undefined in an array', [undefined], /undefined/],
    ['NaN', Number.NaN, /NaN/],
    ['Infinity', Number.POSITIVE_INFINITY, /Infinity/],
    ['-Infinity', Number.NEGATIVE_INFINITY, /-Infinity/],
    ['a bigint', 1n, /a bigint/],
    ['a function', () => 1, /a function/],
    ['a symbol', Symbol('a'), /a symbol/],
    ['a Map', new Map(), /Map/],
    ['a Set', new Set(), /Set/],
    ['a Date', new Date(0), /Date/],
    ['an error', new TypeError('a'), /TypeError/],
    ['a DataView', new DataView(new ArrayBuffer(1)), /DataView/],
    ['a Float64Array', new Float64Array(1), /Float64Array/],
    ['a MessagePort', new MessageChannel().port1, /MessagePort/],
    ['a SharedArrayBuffer', new SharedArrayBuffer(8), /SharedArrayBuffer/],
    ['a view of a SharedArrayBuffer', new Uint8Array(new SharedArrayBuffer(8)), /SharedArrayBuffer/],
    ['an instance of a class', new Point(), /Point/],
    ['an array of holes', new Array(3), /holes/],
    ['an array that is longer than a message', new Array(2 ** 32 - 1), /values/],
    ['an array with a hole and a name', Object.assign(new Array(1), { name: 1 }), /undefined/],
    ['an array with a name', Object.assign([1], { name: 1 }), /names/],
    ['a regular expression', /a/, /RegExp/],
    ['a boxed string', Object('a'), /String/],
    ['a promise', Promise.resolve(), /Promise/],
    ['a WeakMap', new WeakMap(), /WeakMap/],
    ['a URL', new URL('http://localhost'), /URL/],
    ['a resizable buffer', Reflect.construct(ArrayBuffer, [1, { maxByteLength: 2 }]), /resizable/],
    [
      'more buffers than a message has parts',
      Array.from({ length: MAX_PARTS + 1 }, () => new Uint8Array(1)),
      /1024/,
    ],
    [
      'a getter that throws',
      {
        get a() {
          throw new Error('mine')
        },
      },
      /could not be read/,
    ],
    ['a circle', circle, /deeper/],
    ['an object that would grow without bound', doubling, /values/],
    ['values that are nested too deep', nested(MAX_DEPTH), /deeper/],
    ['too many values', new Array(MAX_VALUES).fill(null), /values/],
    ['too many short strings', new Array(MAX_HEAD_BYTES / 512).fill('a'.repeat(511)), /too large/],
    [
      'too many short strings that JSON escapes',
      new Array(MAX_HEAD_BYTES / 2048).fill('\0'.repeat(500)),
      /too large/,
    ],
  ]

  it.each(refused)('%s', (_, value, reason) => {
    const error = failureOf(() => encode([value]))
    expect(error).toBeInstanceOf(ProtocolBreach)
    expect(String(error)).toMatch(reason)
  })

  it('undefined as a message', () => {
    expect(() => encode(undefined)).toThrow(ProtocolBreach)
  })

  it('nothing that is at the bounds', () => {
    expect(cross(nested(MAX_DEPTH - 1)).value).toEqual(nested(MAX_DEPTH - 1))
    const many = new Array(MAX_VALUES - 2).fill(0)
    const { value } = cross(many)
    expect(Array.isArray(value) && value.length).toBe(many.length)
  })
})

describe('decode rejects', () => {
  const part = () => Buffer.from('ab')
  const hostile: readonly (readonly [what: string, head: string, parts?: number])[] = [
    ['nothing', ''],
    ['text that is not JSON', 'message'],
    ['JSON that ends too early', '[{"a":1'],
    ['a string that does not end', '["a'],
    ['more than a message', '[1][2]'],
    ['a number that is none', '[NaN]'],
    ['a head that is no list', '{"0":1,"length":1}'],
    ['a head that is null', 'null'],
    ['a head without a message', '[]'],
    ['a place without its part', '[null,["bytes"]]'],
    ['a part without a place', '[null]', 1],
    ['a place that is no list', '[null,"bytes"]', 1],
    ['a place without a kind', '[null,[]]', 1],
    ['a part of an unknown kind', '[null,["Float64Array"]]', 1],
    ['a part of an inherited kind', '[null,["constructor"]]', 1],
    ['a place where another value is', '[1,["bytes"]]', 1],
    ['a place that is not there', '[{"a":null},["bytes","b"]]', 1],
    ['a place beyond an array', '[[null],["bytes",1]]', 1],
    ['a place below a string', '["a",["bytes",0]]', 1],
    ['the length of an array as a place', '[[null],["bytes","length"]]', 1],
    ['a place on a prototype', '[{"a":null},["bytes","__proto__","polluted"]]', 1],
    ['a place that is null on a prototype', '[{},["bytes","__proto__","__proto__"]]', 1],
    ['a place on a constructor', '[{"a":null},["bytes","constructor","prototype"]]', 1],
    ['a key that is no text or number', '[{"a":null},["bytes",["a"]]]', 1],
    ['two parts in one place', '[null,["bytes"],["bytes"]]', 2],
    ['a part within another', '[null,["bytes"],["bytes",0]]', 2],
  ]

  it.each(hostile.map(([what, head, parts = 0]) => ({ what, head, parts })))('$what', ({ head, parts }) => {
    const error = failureOf(() => decode(Buffer.from(head), Array.from({ length: parts }, part)))
    expect(error).toBeInstanceOf(ProtocolBreach)
    expect(Reflect.get({}, 'polluted')).toBe(undefined)
  })

  it('a string that ends in half a code unit', () => {
    expect(() => decode(Buffer.from('[null,["utf16le"]]'), [Buffer.from('abc')])).toThrow(/half/)
  })

  it.each(['[', '{"a":', '[1,{"b":'])('nesting without end (%s), before it parses it', (opening) => {
    expect(() => decode(Buffer.from(opening.repeat(100_000)), [])).toThrow(/deeper/)
  })

  it.each(['[],', '{},', '0,', '"",', '"\\\\",'])('too many values (%s), before it parses them', (value) => {
    const head = Buffer.from(`[[${value.repeat(MAX_VALUES)}0]]`)
    expect(head.length).toBeLessThan(MAX_HEAD_BYTES)
    expect(() => decode(head, [])).toThrow(/values/)
  })

  it('nothing because of brackets and commas in strings', () => {
    const text = '[{,\\",'.repeat(MAX_DEPTH)
    expect(decode(Buffer.from(JSON.stringify([[text, { [text]: text }]])), []).value).toEqual([
      text,
      { [text]: text },
    ])
  })
})
