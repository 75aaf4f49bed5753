import { afterEach, describe, expect, it } from 'vitest'
import { encode } from '../../src/channel/encode.ts'
import { ChannelClosed, ProtocolBreach } from '../../src/channel/errors.ts'
import { OutgoingMessage } from '../../src/channel/outgoing.ts'
import { FrameKind, MAX_HEAD_BYTES, MAX_PARTS, MAX_PAYLOAD_BYTES } from '../../src/channel/wire.ts'
import { until } from '../faults/helpers.ts'
import { Pair } from './pair.ts'

const pairs: Pair[] = []

async function pair(): Promise<Pair> {
  const made = await Pair.make()
  pairs.push(made)
  return made
}

afterEach(() => {
  for (const made of pairs.splice(0)) made.end()
})

function frame(kind: number, lane: number, payload: Buffer, length = payload.length): Buffer {
  const header = Buffer.alloc(9)
  header.writeUInt32LE(length, 0)
  header.writeUInt8(kind, 4)
  header.writeUInt32LE(lane, 5)
  return Buffer.concat([header, payload])
}

function table(...lengths: number[]): Buffer {
  const bytes = Buffer.alloc(4 * lengths.length)
  for (const [index, length] of lengths.entries()) bytes.writeUInt32LE(length, index * 4)
  return bytes
}

function frames(message: unknown, lane: number): Buffer {
  const chunks: Buffer[] = []
  const outgoing = new OutgoingMessage(encode(message))
  while (!outgoing.takeFrame(lane, chunks));
  return Buffer.concat(chunks)
}

const { first, more, close, taken } = FrameKind
const mib = 1024 ** 2

describe('a far side that breaks the protocol ends the channel, once, with PROTOCOL', () => {
  const hostile: readonly (readonly [string, Buffer])[] = [
    ['text', Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n')],
    ['zeros', Buffer.alloc(9)],
    ['a frame of an unknown kind', frame(5, 1, Buffer.alloc(0))],
    ['the news that it has read a content', frame(taken, 0, Buffer.alloc(0))],
    ['the same of a lane', frame(taken, 1, Buffer.alloc(0))],
    ['the same with content', frame(taken, 0, Buffer.alloc(1))],
    ['a part that is in a file', frame(first, 1, table(1, 1, 0x8000_0001))],
    ['a frame that is too long', frame(first, 1, Buffer.alloc(0), MAX_PAYLOAD_BYTES + 1)],
    ['a frame that is too long, of a lane that is not open', frame(first, 99, Buffer.alloc(0), 0xffff_ffff)],
    ['a message without a table', frame(first, 1, Buffer.alloc(0))],
    ['half a table', frame(first, 1, table(1, 5, 1))],
    ['an empty head', frame(first, 1, table(0, 0))],
    ['a head that is too long', frame(first, 1, table(MAX_HEAD_BYTES + 1, 0))],
    ['too many parts', frame(first, 1, table(1, MAX_PARTS + 1))],
    ['a part without a place', frame(first, 1, Buffer.concat([table(3, 1, 0), Buffer.from('[1]')]))],
    ['nothing but an empty part', frame(first, 1, table(1, 1, 0))],
    ['a message of more than 1 GiB', frame(first, 1, table(1, 2, 512 * mib, 512 * mib))],
    ['more than was announced', frame(first, 1, Buffer.concat([table(1, 0), Buffer.alloc(2)]))],
    ['no beginning', frame(more, 1, Buffer.alloc(1))],
    [
      'an empty piece',
      Buffer.concat([
        frame(first, 1, Buffer.concat([table(9, 0), Buffer.alloc(1)])),
        frame(more, 1, Buffer.alloc(0)),
      ]),
    ],
    [
      'a message within another',
      Buffer.concat([1, 1].map((lane) => frame(first, lane, Buffer.concat([table(9, 0), Buffer.alloc(1)])))),
    ],
    ['a message that cannot be read', frame(first, 1, Buffer.concat([table(1, 0), Buffer.from([99])]))],
    [
      'a control message that cannot be read',
      frame(first, 0, Buffer.concat([table(1, 0), Buffer.from([99])])),
    ],
    ['the end of the control lane', frame(close, 0, Buffer.alloc(0))],
    ['an end with content', frame(close, 1, Buffer.alloc(1))],
  ]

  it.each(hostile)('%s', async (_, bytes) => {
    const { channel, far, port, ends, portClosed } = await pair()
    far.write(bytes)
    far.write(frames('late', 1))
    await portClosed
    expect(ends).toEqual([expect.any(ProtocolBreach)])
    channel.sendControl({ late: true })
    far.destroy()
    await until(() => far.closed)
    port.postMessage('late')
    expect(ends.length).toBe(1)
  })

  it('frames arrive whole, whether they come a byte at a time or all at once', async () => {
    const { far, received } = await pair()
    const bytes = Buffer.concat([frames({ a: 1 }, 0), frames('b', 1), frames('c'.repeat(100), 1)])
    far.setNoDelay()
    for (const byte of bytes) {
      far.write(Buffer.of(byte))
      await new Promise(setImmediate)
    }
    far.write(Buffer.concat([bytes, bytes]))
    await until(() => received.length === 9)
    const [control, lane] = [[{ a: 1 }], ['b', 'c'.repeat(100)]]
    expect(received.filter((message) => typeof message === 'object')).toEqual(
      [control, control, control].flat(),
    )
    expect(received.filter((message) => typeof message === 'string')).toEqual([lane, lane, lane].flat())
  })
})

describe('what does not break the protocol', () => {
  it('frames of a lane that is not open, or is closed, are dropped', async () => {
    const { channel, far, received, ends, portClosed } = await pair()
    far.write(
      Buffer.concat([
        frames('unknown', 7),
        frame(more, 8, Buffer.alloc(3)),
        frame(close, 9, Buffer.alloc(0)),
      ]),
    )
    far.write(Buffer.concat([frames('a', 1), frame(close, 1, Buffer.alloc(0)), frames('late', 1)]))
    await portClosed
    far.write(frames('end', 0))
    await until(() => received.length === 2)
    expect([received, ends]).toEqual([['a', 'end'], []])
    channel.close()
  })

  it('a message that announces more than it sends costs no memory', async () => {
    const { far, received } = await pair()
    const before = process.memoryUsage.rss()
    far.write(frame(first, 1, Buffer.concat([table(1, 1, 1023 * mib), Buffer.alloc(100)])))
    far.write(frames('end', 0))
    await until(() => received.length === 1)
    expect(process.memoryUsage.rss() - before).toBeLessThan(64 * mib)
  })

  it('a far side that ends in the middle of a message ends the channel as closed', async () => {
    const { far, ends, portClosed } = await pair()
    far.end(frames('a'.repeat(1000), 1).subarray(0, 500))
    await portClosed
    expect(ends).toEqual([expect.any(ChannelClosed)])
  })

  it('a channel that its owner closed does not report its end', async () => {
    const { channel, far, ends, portClosed } = await pair()
    channel.close()
    channel.close()
    await portClosed
    await until(() => far.closed)
    expect(ends).toEqual([])
  })
})
