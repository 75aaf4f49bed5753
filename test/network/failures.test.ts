import { connect } from 'node:net'
import { expect, test, vi } from 'vitest'
import {
  credentials,
  eventually,
  openTunnel,
  PUBLIC,
  readAll,
  send,
  startOrigin,
  startProxy,
  startTcp,
} from './helpers.ts'

const names = { 'api.example': [PUBLIC] }
const allow = ['http://api.example/', 'https://api.example/']
const policy = { network: 'allowlist', allow } as const

test('a name without an address, and a resolver that fails, break a request off, and refuse a tunnel', async () => {
  const { proxy, decisions } = await startProxy({
    resolve: async (hostname) => {
      if (hostname === 'api.example') return []
      throw new Error('no such name')
    },
  })
  const pass = proxy.admit('cell', { network: 'allowlist', allow: [...allow, 'http://gone.example/'] })
  await expect(send(pass, 'http://api.example/')).rejects.toThrow()
  await expect(send(pass, 'http://gone.example/')).rejects.toThrow()
  expect((await openTunnel(pass, 'api.example:443')).status).toBe(502)
  expect(decisions.map(({ reason }) => reason)).toEqual(Array(3).fill('NAME_NOT_FOUND'))
})

test('an origin that cannot be reached breaks a request off, and refuses a tunnel', async () => {
  const free = await startOrigin()
  const { proxy, ends } = await startProxy({
    names,
    connect: () => connect({ host: '127.0.0.1', port: 1 }),
  })
  expect(free.seen).toEqual([])
  const pass = proxy.admit('cell', policy)
  await expect(send(pass, 'http://api.example/')).rejects.toThrow()
  expect((await openTunnel(pass, 'api.example:443')).status).toBe(502)
  expect(ends.map(({ reason }) => reason)).toEqual(['CONNECT_FAILED', 'CONNECT_FAILED'])
})

test.each([
  ['hangs up', ''],
  ['is no HTTP', 'SSH-2.0-OpenSSH\r\n'],
  ['switches protocols', 'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\nraw'],
  [
    'frames a body twice',
    'HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  ],
  ['has two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd'],
  ['has too large headers', `HTTP/1.1 200 OK\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`],
  ['has an odd status', 'HTTP/1.1 42 Odd\r\n\r\n'],
])('an origin that %s breaks the request off', async (_name, bytes) => {
  const port = await startTcp((socket) => socket.once('data', () => socket.end(bytes, 'latin1')))
  const { proxy, ends } = await startProxy({ names, origin: port })
  const pass = proxy.admit('cell', policy)
  await expect(send(pass, 'http://api.example/')).rejects.toThrow()
  expect(ends.map(({ reason }) => reason)).toEqual(['ORIGIN_FAILED'])
})

test('a response that breaks off breaks off for the client', async () => {
  const port = await startTcp((socket) =>
    socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf')),
  )
  const { proxy, ends } = await startProxy({ names, origin: port })
  await expect(send(proxy.admit('cell', policy), 'http://api.example/')).rejects.toThrow()
  await eventually(() => expect(ends).toMatchObject([{ received: 4, reason: 'ORIGIN_FAILED' }]))
})

test.each([
  ['in the middle of a body', 'POST http://api.example/ HTTP/1.1\r\nContent-Length: 100', 'half', 1],
  ['before an answer', 'GET http://api.example/ HTTP/1.1', '', 1],
  ['before the answers to what it sent ahead', 'GET http://api.example/ HTTP/1.1', '', 3],
])(
  'a client that hangs up %s ends its exchanges, and the origin’s connections',
  async (_name, head, body, times) => {
    for (const hangUp of ['destroy', 'resetAndDestroy'] as const) {
      const [opened, closed] = [vi.fn(), vi.fn()]
      const port = await startTcp((socket) => socket.once('data', opened).on('end', closed))
      const { proxy, ends } = await startProxy({ names, origin: port })
      const token = credentials(proxy.admit('cell', policy))
      const client = connect(proxy.port, '127.0.0.1')
      client.write(`${head}\r\nHost: x\r\nProxy-Authorization: ${token}\r\n\r\n${body}`.repeat(times))
      await eventually(() => expect(opened).toHaveBeenCalledTimes(times))
      expect([ends, closed.mock.calls]).toEqual([[], []])
      client[hangUp]()
      await eventually(() => expect(closed).toHaveBeenCalledTimes(times))
      expect(ends.map(({ reason }) => reason)).toEqual(Array(times).fill('ABORTED'))
    }
  },
)

test('an origin that resets a tunnel ends it', async () => {
  const port = await startTcp((socket) => socket.once('data', () => socket.resetAndDestroy()))
  const { proxy, ends } = await startProxy({ names, origin: port })
  const { socket } = await openTunnel(proxy.admit('cell', policy), 'api.example:443')
  const all = readAll(socket)
  socket.write('x')
  expect(await all).toBe('')
  await eventually(() => expect(ends).toMatchObject([{ sent: 1, reason: 'ORIGIN_FAILED' }]))
})

test('a client that resets a tunnel ends it, at the origin, too', async () => {
  const closed = vi.fn()
  const port = await startTcp((socket) => socket.on('data', () => undefined).on('end', closed))
  const { proxy, ends } = await startProxy({ names, origin: port })
  const { socket } = await openTunnel(proxy.admit('cell', policy), 'api.example:443')
  socket.resetAndDestroy()
  await eventually(() => expect([ends.length, closed.mock.calls.length]).toEqual([1, 1]))
})
