import { expect, it } from 'vitest'
import { encode } from '../../src/channel/encode.ts'
import { Outflow } from '../../src/channel/outflow.ts'
import { FrameKind, HEADER_BYTES, PIECE_BYTES } from '../../src/channel/wire.ts'

/** A pipe that takes what is written when it is told to. */
class SlowPipe {
  readonly outflow = new Outflow((chunks, _bytes, done) => {
    this.writes += 1
    this.#read(Buffer.concat(chunks))
    this.#taken.push(done)
  })
  /** Lane and kind of each frame. */
  readonly frames: string[] = []
  writes = 0
  readonly #taken: (() => void)[] = []

  async take(): Promise<void> {
    await new Promise(setImmediate)
    for (let done = this.#taken.shift(); done !== undefined; done = this.#taken.shift()) done()
  }

  #read(bytes: Buffer): void {
    const kinds = Object.entries(FrameKind)
    for (let at = 0; at < bytes.length; at += HEADER_BYTES + bytes.readUInt32LE(at)) {
      const kind = kinds.find(([, number]) => number === bytes.readUInt8(at + 4))
      this.frames.push(`${bytes.readUInt32LE(at + 5)} ${kind?.[0]}`)
    }
  }
}

function long(pieces: number) {
  return encode(new Uint8Array((pieces - 0.5) * PIECE_BYTES))
}

it('lanes take turns, a piece each, and close after what was sent on them', async () => {
  const pipe = new SlowPipe()
  pipe.outflow.send(1, long(3))
  pipe.outflow.send(2, long(2))
  pipe.outflow.send(2, encode('short'))
  pipe.outflow.close(1)
  await pipe.take()
  expect(pipe.frames).toEqual(['1 first', '2 first', '1 more', '2 more', '1 more', '2 first', '1 close'])
})

it('a control message is written before everything that was not written yet', async () => {
  const pipe = new SlowPipe()
  pipe.outflow.send(1, long(2))
  await new Promise(setImmediate)
  for (let count = 0; count < 3; count++) pipe.outflow.send(0, encode('control'))
  pipe.outflow.send(2, encode('short'))
  await pipe.take()
  expect(pipe.frames).toEqual(['1 first', '0 first', '0 first', '0 first', '1 more', '2 first'])
})

it('nothing more is written until the pipe has taken what it has', async () => {
  const pipe = new SlowPipe()
  pipe.outflow.send(1, long(100))
  for (let turn = 0; turn < 3; turn++) await new Promise(setImmediate)
  expect(pipe.frames).toEqual(['1 first'])
})

it('messages that are sent in one turn of the event loop are written together', async () => {
  const pipe = new SlowPipe()
  for (let lane = 1; lane <= 64; lane++) pipe.outflow.send(lane, encode('short'))
  await pipe.take()
  expect([pipe.frames.length, pipe.writes]).toEqual([64, 1])
})

it('messages that were dropped are not written', async () => {
  const pipe = new SlowPipe()
  pipe.outflow.send(1, long(3))
  pipe.outflow.send(2, encode('short'))
  await new Promise(setImmediate)
  pipe.outflow.drop(1)
  await pipe.take()
  expect(pipe.frames).toEqual(['1 first', '2 first'])
  pipe.outflow.send(3, encode('short'))
  pipe.outflow.clear()
  await pipe.take()
  expect(pipe.frames.length).toBe(2)
})
