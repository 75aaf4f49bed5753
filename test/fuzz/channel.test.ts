import fc from 'fast-check'
import { afterAll, expect } from 'vitest'
import { decode } from '../../src/channel/decode.ts'
import { encode } from '../../src/channel/encode.ts'
import { ChannelClosed, ProtocolBreach } from '../../src/channel/errors.ts'
import { OutgoingMessage } from '../../src/channel/outgoing.ts'
import { Pair } from '../channel/pair.ts'
import { crossing } from '../channel/values.ts'
import { until } from '../faults/helpers.ts'
import { news, reply } from './support/forged.ts'
import { fuzz } from './support/fuzz.ts'

/** Bytes as they stand in a frame or in JSON, and ones that stand nowhere. */
const byte = fc.oneof(
  fc.nat(40),
  fc.nat(255),
  fc.constantFrom(0, 0xff),
  fc.constantFrom(...Buffer.from('[]{}",:\\0123456789eE-nulltruefalse')),
)

/** A change of bytes: some are overwritten, cut out, put in or repeated. */
const change = fc.record({
  kind: fc.constantFrom('write', 'cut', 'insert', 'repeat', 'end'),
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  bytes: fc.array(byte, { minLength: 1, maxLength: 5 }),
})
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never

function changed(bytes: Buffer, changes: readonly Change[]): Buffer {
  return changes.reduce((held, { kind, at, bytes: other }) => {
    const start = Math.floor(at * held.length)
    const put = Buffer.from(other)
    const [before, after] = [held.subarray(0, start), held.subarray(start)]
    if (kind === 'write') return Buffer.concat([before, put, after.subarray(put.length)])
    if (kind === 'cut') return Buffer.concat([before, after.subarray(put.length)])
    if (kind === 'insert') return Buffer.concat([before, put, after])
    if (kind === 'repeat') return Buffer.concat([before, after.subarray(0, 64), after])
    return before
  }, bytes)
}

const short = crossing.map(({ value }) => value).filter((value) => sizeOf(value) < 10_000)
const sent = fc.oneof(
  fc.constantFrom(...short),
  fc.array(fc.constantFrom(...short), { maxLength: 4 }),
  fc.oneof(news, reply).filter((value) => sizeOf(value) < 10_000),
)

/** Of what cannot be sent at all, without end. */
function sizeOf(value: unknown): number {
  try {
    const { head, parts } = encode(value)
    return parts.reduce((sum, { length }) => sum + length, head.length)
  } catch (error) {
    expect(error).toBeInstanceOf(ProtocolBreach)
    return Number.POSITIVE_INFINITY
  }
}

function copyOf(bytes: Uint8Array): Buffer {
  return Buffer.from(new Uint8Array(bytes).buffer)
}

const decoded = { values: 0, refused: 0 }

fuzz({
  target: 'channel',
  title: 'decoding forged bytes gives a value that can be sent again, or throws a ProtocolBreach',
  cases: 1500,
  input: fc.tuple(
    sent,
    fc.array(change, { maxLength: 3 }),
    fc.array(fc.uint8Array({ maxLength: 600 }), { maxLength: 1 }),
  ),
  holds: ([value, changes, more]) => {
    const { head, parts } = encode(value)
    const start = performance.now()
    try {
      const arrived = decode(changed(head, changes), [...parts, ...more].map(copyOf))
      decoded.values += 1
      const again = encode(arrived.value)
      const back = decode(again.head, again.parts.map(copyOf))
      expect(encode(back.value)).toEqual(again)
    } catch (error) {
      expect(error).toBeInstanceOf(ProtocolBreach)
      decoded.refused += 1
    }
    expect(performance.now() - start).toBeLessThan(2000)
  },
  ends: () => [decoded.values, decoded.refused],
})

function framesOf(value: unknown, lane: number): Buffer {
  const chunks: Buffer[] = []
  const outgoing = new OutgoingMessage(encode(value))
  while (!outgoing.takeFrame(lane, chunks));
  return Buffer.concat(chunks)
}

const ends = { broken: 0, well: 0 }
const control = framesOf({ still: 'there' }, 0)
const most = process.memoryUsage.rss() + 512 * 2 ** 20
afterAll(() => expect(process.memoryUsage.rss()).toBeLessThan(most))

fuzz({
  target: 'channel',
  title: 'a channel that reads forged bytes ends once, with a ProtocolBreach or the end of its pipe',
  cases: 100,
  input: fc.tuple(
    fc.array(fc.tuple(sent, fc.constantFrom(0, 1, 1, 1, 7)), { minLength: 1, maxLength: 4 }),
    fc.array(change, { maxLength: 3 }),
    fc.array(fc.nat(5000), { maxLength: 3 }),
  ),
  holds: async ([messages, changes, cuts]) => {
    const pair = await Pair.make()
    try {
      const { far, ends: told, portClosed } = pair
      const bytes = changed(Buffer.concat(messages.map(([value, lane]) => framesOf(value, lane))), changes)
      for (const piece of piecesOf(bytes, cuts)) {
        far.write(piece)
        await new Promise(setImmediate)
      }
      // A frame that was cut short takes in what follows it: the end of the pipe settles the matter.
      far.end(control)
      await portClosed
      await until(() => told.length > 0)
      expect(told.length).toBe(1)
      const [end] = told
      if (end instanceof ProtocolBreach) ends.broken += 1
      else {
        expect(end).toBeInstanceOf(ChannelClosed)
        ends.well += 1
      }
    } finally {
      pair.end()
    }
  },
  ends: () => [ends.broken, ends.well],
})

function piecesOf(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length]
  return places.slice(1).map((end, index) => bytes.subarray(places[index], end))
}
