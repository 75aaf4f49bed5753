import { once } from 'node:events'
import { MessageChannel } from 'node:worker_threads'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ChannelClosed, ProtocolBreach } from '../../src/channel/errors.ts'
import { until, within } from '../faults/helpers.ts'
import { byTier } from '../support/tier.ts'
import { echo, maxRss, messages, pings, startCell, type TestCell } from './helpers.ts'
import { crossing } from './values.ts'

const mib = 1024 ** 2
let cell: TestCell

beforeAll(async () => {
  cell = await startCell()
})

afterAll(() => cell.end())

describe('a bridged port', () => {
  it.each(crossing)('echoes $kind', async ({ value, arrives }) => {
    expect(await echo(cell.open(), value)).toStrictEqual(arrives)
  })

  it('reaches a worker of the cell', async () => {
    const port = cell.open('worker')
    expect(await echo(port, { bytes: new Uint8Array(100_000).fill(1) })).toEqual({
      bytes: new Uint8Array(100_000).fill(1),
    })
    port.close()
  })

  it('takes a buffer from its sender, and delivers one that can be transferred again', async () => {
    const port = cell.open()
    const bytes = new Uint8Array(mib).fill(9)
    const answer = messages(port, 1)
    port.postMessage({ bytes }, [bytes.buffer])
    expect(bytes.length).toBe(0)
    const [reply] = await answer
    const { port1, port2 } = new MessageChannel()
    const further = messages(port2, 1)
    const back = bytesOf(reply)
    port1.postMessage(back, [back.buffer])
    expect(back.length).toBe(0)
    const [moved] = await further
    expect(moved instanceof Uint8Array && moved.length === mib && moved.every((byte) => byte === 9)).toBe(
      true,
    )
    port1.close()
  })

  it('keeps the order of its messages, short and long, while others are busy', async () => {
    const ports = [cell.open(), cell.open(), cell.open()]
    const sent = Array.from({ length: 300 }, (_, index) => `${index} `.repeat(index % 7 === 0 ? 60_000 : 1))
    const received = ports.map((port) => messages(port, sent.length))
    for (const message of sent) for (const port of ports) port.postMessage(message)
    for (const answers of await Promise.all(received)) {
      expect(answers.map((answer, index) => answer === sent[index])).toEqual(sent.map(() => true))
    }
  })

  it('answers hundreds of calls of 1 MiB in flight in both directions', async () => {
    const calls = byTier({ default: 20, full: 100 })
    const ports = Array.from({ length: 5 }, () => cell.open())
    const answers = ports.map((port) => messages(port, calls))
    for (let call = 0; call < calls; call++) {
      for (const port of ports) {
        const bytes = new Uint8Array(mib).fill(call)
        port.postMessage({ bytes, call }, [bytes.buffer])
      }
    }
    for (const replies of await within(60, Promise.all(answers))) {
      const ends = replies.map((reply) => [
        bytesOf(reply).length,
        bytesOf(reply).at(0),
        bytesOf(reply).at(-1),
      ])
      expect(ends).toEqual(replies.map((_, call) => [mib, call, call]))
    }
  })

  it('closes when the far end is closed, after what was sent before', async () => {
    const port = cell.open('close-after-one')
    const [message] = await Promise.all([echo(port, 'last'), once(port, 'close')])
    expect(message).toBe('last')
  })

  it('closes the far end, after what was sent before', async () => {
    const port = cell.open('count')
    const closed = cell.next('closed')
    for (let count = 0; count < 50; count++) port.postMessage('a'.repeat(100_000))
    port.close()
    expect(await closed).toEqual({ closed: cell.lastLane, count: 50 })
  })

  it('is the only one that closes when it is given a message that cannot cross', async () => {
    const [lost, fine] = [cell.open(), cell.open()]
    const { port1 } = new MessageChannel()
    lost.postMessage(['first'])
    lost.postMessage({ port: port1 }, [port1])
    const first = messages(lost, 1)
    await once(lost, 'close')
    expect(cell.brokenLanes.splice(0)).toEqual([[cell.lastLane - 1, expect.any(ProtocolBreach)]])
    expect(await echo(fine, 'fine')).toBe('fine')
    expect(await Promise.race([first, 'dropped with its port'])).toEqual('dropped with its port')
  })

  it('is the only one that closes when its far end is given a message that cannot cross', async () => {
    const port = cell.open('share')
    const broken = cell.next('broken')
    port.postMessage('go')
    await once(port, 'close')
    expect(await broken).toEqual({
      broken: cell.lastLane,
      message: expect.stringMatching(/SharedArrayBuffer/),
    })
    expect(await echo(cell.open(), 'fine')).toBe('fine')
  })

  it('has a lane number that is valid and not in use', () => {
    for (const lane of [0, -1, 1.5, 2 ** 32, Number.NaN]) {
      expect(() => cell.channel.bridge(lane, new MessageChannel().port1)).toThrow(ProtocolBreach)
    }
    cell.open()
    expect(() => cell.channel.bridge(cell.lastLane, new MessageChannel().port1)).toThrow(ProtocolBreach)
  })
})

describe('long messages', () => {
  it('do not hold up others: pings are answered meanwhile', async () => {
    const [big, other, small] = [cell.open(), cell.open(), cell.open()]
    await echo(small, 'warm')
    const transfers = [big, other].map(async (port) => {
      const bytes = new Uint8Array(32 * mib)
      const reply = messages(port, 1)
      port.postMessage({ bytes }, [bytes.buffer])
      return bytesOf((await reply)[0]).length
    })
    const start = performance.now()
    const waits = await pings(small, Promise.all(transfers))
    const taken = performance.now() - start
    expect(await Promise.all(transfers)).toEqual([32 * mib, 32 * mib])
    expect(waits.length).toBeGreaterThan(10)
    expect(waits[Math.floor(waits.length * 0.9)]).toBeLessThan(taken / 10)
  })

  it('do not hold up control messages', async () => {
    const port = cell.open()
    const bytes = new Uint8Array(16 * mib)
    let answered = false
    const answer = messages(port, 1).then(() => {
      answered = true
    })
    port.postMessage({ bytes }, [bytes.buffer])
    await new Promise(setImmediate)
    const pong = cell.next('number')
    cell.order({ kind: 'ping', number: 7 })
    expect([await pong, answered]).toEqual([{ kind: 'ping', number: 7 }, false])
    await answer
  })

  it('are held in memory about once while they cross', async () => {
    const fresh = await startCell()
    const before = await maxRss(fresh)
    const port = fresh.open()
    const answer = messages(port, 1)
    const size = byTier({ default: 64, full: 128 }) * mib
    const bytes = new Uint8Array(size)
    port.postMessage({ bytes }, [bytes.buffer])
    await answer
    expect((await maxRss(fresh)) - before).toBeLessThan(1.5 * size)
    await fresh.end()
  })
})

describe('a cell that is killed in the middle of a message', () => {
  it('breaks the channel once and closes every port', async () => {
    const doomed = await startCell()
    const ports = [doomed.open(), doomed.open('worker'), doomed.open()]
    const closed = Promise.all(ports.map((port) => once(port, 'close')))
    await echo(ports[2] ?? doomed.open(), 'warm')
    for (const port of ports) {
      const bytes = new Uint8Array(32 * mib)
      port.postMessage({ bytes }, [bytes.buffer])
    }
    await new Promise(setImmediate)
    doomed.child.kill('SIGKILL')
    await within(60, Promise.all([closed, doomed.exit]))
    await until(() => doomed.socket.closed)
    expect(doomed.ends).toEqual([expect.any(ChannelClosed)])
    doomed.channel.sendControl({ late: true })
    doomed.channel.ref()
    const late = doomed.open()
    await once(late, 'close')
    doomed.channel.close()
    expect(doomed.ends.length).toBe(1)
  })

  it('and a cell whose channel is closed ends by itself', async () => {
    const left = await startCell()
    left.channel.close()
    expect(await within(60, left.exit)).toEqual([0, null])
    expect(left.ends).toEqual([])
  })
})

function bytesOf(message: unknown): Uint8Array<ArrayBuffer> {
  const bytes = typeof message === 'object' && message !== null ? Reflect.get(message, 'bytes') : undefined
  if (!(bytes instanceof Uint8Array) || !(bytes.buffer instanceof ArrayBuffer)) throw new Error('no bytes')
  return new Uint8Array(bytes.buffer)
}
