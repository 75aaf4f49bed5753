import { MessageChannel, type MessagePort } from 'node:worker_threads'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { CellChannel, type ChannelContents, type ChannelEnd } from '../../src/channel/cell-channel.ts'
import { ContentFile } from '../../src/channel/content-file.ts'
import { ContentReader } from '../../src/channel/content-reader.ts'
import { ProtocolBreach } from '../../src/channel/errors.ts'
import { socketPair } from './pair.ts'

const mib = 2 ** 20

afterEach(() => vi.restoreAllMocks())

/** A host with a content file, and its cell, both in this process. */
async function sides(reads?: ContentReader) {
  const [near, far] = await socketPair()
  const file = ContentFile.make()
  if (file === undefined) throw new Error('There are no files in memory.')
  const ends: ChannelEnd[] = []
  const make = (socket: typeof near, contents: ChannelContents) =>
    new CellChannel(
      socket,
      { onControl: () => undefined, onLaneBroken: () => undefined, onBroken: (end) => ends.push(end) },
      contents,
    )
  const host = make(near, { file: file.share() })
  const cell = make(far, { reader: reads ?? new ContentReader(file.reader) })
  onTestFinished(() => {
    for (const channel of [host, cell]) channel.close()
    file.inherited()
    file.close()
  })
  return { host, cell, file, ends }
}

/** The end of a lane that a user holds. */
function laneOf(channel: CellChannel, number: number): MessagePort {
  const { port1, port2 } = new MessageChannel()
  onTestFinished(() => port1.close())
  channel.bridge(number, port2)
  return port1
}

/** What comes on a lane; of contents, how many bytes of which value. */
function messagesOf(lane: MessagePort): unknown[] {
  const received: unknown[] = []
  lane.on('message', (message: unknown) => received.push(isContent(message) ? shown(message) : message))
  return received
}

interface Content {
  readonly before: string
  readonly bytes: Uint8Array
  readonly after: number
}

function content(bytes: number, value: number): Content {
  return { before: 'a', bytes: new Uint8Array(bytes).fill(value), after: 1 }
}

function isContent(message: unknown): message is Content {
  return typeof message === 'object' && message !== null && 'bytes' in message
}

function shown({ before, bytes, after }: Content): unknown {
  const [value = 0] = bytes
  return [before, bytes.every((byte) => byte === value) ? value : 'mixed', bytes.length, after]
}

const arrived = (bytes: number, value: number) => ['a', value, bytes, 1]

async function eventually(value: () => unknown, expected: unknown): Promise<void> {
  await vi.waitFor(() => expect(value()).toEqual(expected), { timeout: 60_000 })
}

describe('long contents of a host', () => {
  it('cross by the file, one at a time, and in order with everything else', async () => {
    const { host, cell, file } = await sides()
    const put = vi.spyOn(file, 'put')
    const received = messagesOf(laneOf(cell, 1))
    const lane = laneOf(host, 1)
    const sent = [content(mib, 1), 'short', content(2 * mib, 2), content(100, 3)]
    for (const message of sent) lane.postMessage(message)
    const first = [arrived(mib, 1), 'short', arrived(2 * mib, 2), arrived(100, 3)]
    await eventually(() => received, first)
    lane.postMessage(content(3 * mib, 4))
    await eventually(() => received, [...first, arrived(3 * mib, 4)])
    const held = put.mock.results.map(({ value }) => value).filter((value) => value === true)
    expect(held.length).toBeGreaterThanOrEqual(2)
  })

  it('cross by the pipe while the file holds another', async () => {
    const { host, cell, file } = await sides()
    file.put(new Uint8Array(mib))
    const received = messagesOf(laneOf(cell, 1))
    laneOf(host, 1).postMessage(content(mib, 1))
    await eventually(() => received, [arrived(mib, 1)])
    file.free()
  })

  it('do not stay in the file where their lane is not open in the cell', async () => {
    const { host, cell, file } = await sides()
    const received = messagesOf(laneOf(cell, 2))
    laneOf(host, 1).postMessage(content(mib, 1))
    await eventually(() => file.put(new Uint8Array(mib)), true)
    file.free()
    laneOf(host, 2).postMessage(content(mib, 2))
    await eventually(() => received, [arrived(mib, 2)])
  })

  it('end the channel where they are not there', async () => {
    const nothing = new ContentReader(99_999)
    const { host, cell, ends } = await sides(nothing)
    messagesOf(laneOf(cell, 1))
    laneOf(host, 1).postMessage(content(mib, 1))
    await eventually(() => ends.some((end) => end instanceof ProtocolBreach), true)
  })
})

it('a cell sends no content by the file, and gives no memory back', async () => {
  const { host, cell, file } = await sides()
  const put = vi.spyOn(file, 'put')
  const received = messagesOf(laneOf(host, 1))
  const lane = laneOf(cell, 1)
  lane.postMessage(content(mib, 1))
  lane.postMessage({ value: new ArrayBuffer(mib) })
  await eventually(() => received, [arrived(mib, 1), { value: new ArrayBuffer(0) }])
  expect(put).not.toHaveBeenCalled()
})
