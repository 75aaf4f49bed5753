import { connect } from 'node:net'
import { expect, test } from 'vitest'
import type { EgressLimits } from '../../src/network/limits.ts'
import {
  credentials,
  eventually,
  openTunnel,
  PUBLIC,
  readAll,
  send,
  sendRaw,
  startOrigin,
  startProxy,
  startTcp,
} from './helpers.ts'

const names = { 'api.example': [PUBLIC] }
const policy = { network: 'allowlist', allow: ['http://api.example/', 'https://api.example/'] } as const

async function proxyWith(limits: Partial<EgressLimits>, origin: number) {
  const started = await startProxy({ names, origin, limits })
  return { ...started, pass: started.proxy.admit('cell', policy) }
}

test('a body that is announced as too large is a 413, and the origin hears nothing', async () => {
  const origin = await startOrigin()
  const { pass, decisions } = await proxyWith({ requestBytes: 10 }, origin.port)
  const answer = await send(pass, 'http://api.example/', {
    method: 'POST',
    body: 'x'.repeat(11),
    headers: { 'content-length': '11' },
  })
  expect([answer.status, origin.seen]).toEqual([413, []])
  expect(decisions.map(({ reason }) => reason)).toEqual(['REQUEST_TOO_LARGE'])
  const fits = { method: 'POST', body: 'x'.repeat(10), headers: { 'content-length': '10' } }
  expect((await send(pass, 'http://api.example/', fits)).status).toBe(200)
})

test('a body that grows too large ends its exchange with a 413', async () => {
  const origin = await startOrigin(() => undefined)
  const { pass, ends } = await proxyWith({ requestBytes: 10 }, origin.port)
  const answer = await send(pass, 'http://api.example/', {
    method: 'POST',
    body: 'x'.repeat(11),
    headers: { 'transfer-encoding': 'chunked' },
  })
  expect(answer.status).toBe(413)
  expect(ends.map(({ reason }) => reason)).toEqual(['REQUEST_TOO_LARGE'])
})

test('a response that is announced as too large is a 502', async () => {
  const origin = await startOrigin((_request, response) => {
    response.setHeader('content-length', 11)
    response.end('x'.repeat(11))
  })
  const { pass, ends } = await proxyWith({ responseBytes: 10 }, origin.port)
  expect((await send(pass, 'http://api.example/')).status).toBe(502)
  expect(ends.map(({ reason }) => reason)).toEqual(['RESPONSE_TOO_LARGE'])
  expect((await send(pass, 'http://api.example/', { method: 'HEAD' })).status).toBe(200)
})

test('a response that grows too large breaks off', async () => {
  const origin = await startOrigin((_request, response) => {
    response.write('x'.repeat(8))
    setTimeout(() => response.end('x'.repeat(8)), 20)
  })
  const { pass, ends } = await proxyWith({ responseBytes: 10 }, origin.port)
  await expect(send(pass, 'http://api.example/')).rejects.toThrow()
  expect(ends).toMatchObject([{ received: 16, reason: 'RESPONSE_TOO_LARGE' }])
})

test('a tunnel that carries too much, both ways together, breaks off', async () => {
  const port = await startTcp((socket) => socket.pipe(socket))
  const { pass, ends } = await proxyWith({ tunnelBytes: 10 }, port)
  const { socket } = await openTunnel(pass, 'api.example:443')
  const all = readAll(socket)
  socket.write('x'.repeat(6))
  expect((await all).length).toBeLessThanOrEqual(6)
  expect(ends).toMatchObject([{ sent: 6, reason: 'TUNNEL_TOO_LARGE' }])
})

test('headers that are too large are a 431', async () => {
  const origin = await startOrigin()
  const { pass, proxy, decisions } = await proxyWith({ headerBytes: 1024 }, origin.port)
  const long = { headers: { 'x-long': 'x'.repeat(2000) } }
  expect((await send(pass, 'http://api.example/', long)).status).toBe(431)
  expect((await send(pass, `http://api.example/${'x'.repeat(2000)}`)).status).toBe(431)
  expect(await sendRaw(proxy.port, `CONNECT ${'x'.repeat(2000)}:443 HTTP/1.1\r\n\r\n`)).toMatch(
    /^HTTP\/1\.1 431 /,
  )
  expect(decisions.map(({ reason }) => reason)).toEqual(Array(3).fill('HEADERS_TOO_LARGE'))
})

test('a connection on which no headers come is ended', async () => {
  const { proxy, decisions } = await proxyWith({ connectTimeout: 0.1 }, 1)
  expect(await sendRaw(proxy.port, 'GET http://api.example/ HTTP/1.1\r\nHost')).toMatch(/^HTTP\/1\.1 408 /)
  expect(decisions.map(({ reason }) => reason)).toEqual(['HEADERS_TIMEOUT'])
})

test('a name that takes too long breaks the request off', async () => {
  const { proxy, decisions } = await startProxy({
    limits: { connectTimeout: 0.1 },
    resolve: () => new Promise(() => undefined),
  })
  await expect(send(proxy.admit('cell', policy), 'http://api.example/')).rejects.toThrow()
  expect(decisions.map(({ reason }) => reason)).toEqual(['CONNECT_TIMEOUT'])
})

test('an origin that takes too long to connect breaks the request off', async () => {
  const { proxy, ends } = await startProxy({
    names,
    limits: { connectTimeout: 0.1 },
    connect: () => connect({ host: 'never.invalid', port: 1, lookup: () => undefined }),
  })
  await expect(send(proxy.admit('cell', policy), 'http://api.example/')).rejects.toThrow()
  expect(ends.map(({ reason }) => reason)).toEqual(['CONNECT_TIMEOUT'])
})

test('an exchange without traffic ends with a broken connection', async () => {
  const port = await startTcp((socket) => socket.on('data', () => undefined))
  const { pass, ends } = await proxyWith({ idleTimeout: 0.1 }, port)
  await expect(send(pass, 'http://api.example/')).rejects.toThrow()
  const { socket } = await openTunnel(pass, 'api.example:443')
  expect(await readAll(socket)).toBe('')
  expect(ends.map(({ reason }) => reason)).toEqual(['IDLE_TIMEOUT', 'IDLE_TIMEOUT'])
})

test('an exchange that takes too long ends, even with traffic', async () => {
  const port = await startTcp((socket) => {
    const timer = setInterval(() => socket.write('x'), 10)
    socket.on('data', () => undefined).on('close', () => clearInterval(timer))
  })
  const { pass, ends } = await proxyWith({ totalTimeout: 0.2 }, port)
  const { socket } = await openTunnel(pass, 'api.example:443')
  expect(await readAll(socket)).toMatch(/^x+$/)
  expect(ends.map(({ reason }) => reason)).toEqual(['TOTAL_TIMEOUT'])
})

test('past its connections a cell gets a 503, others do not', async () => {
  const port = await startTcp((socket) => socket.on('data', () => undefined))
  const { proxy, pass, decisions } = await proxyWith({ connections: 2 }, port)
  const held = [await openTunnel(pass, 'api.example:443'), await openTunnel(pass, 'api.example:443')]
  expect((await openTunnel(pass, 'api.example:443')).status).toBe(503)
  expect((await send(pass, 'http://api.example/')).status).toBe(503)
  expect((await openTunnel(proxy.admit('other', policy), 'api.example:443')).status).toBe(200)
  held[0]?.socket.resetAndDestroy()
  await eventually(async () => expect((await openTunnel(pass, 'api.example:443')).status).toBe(200))
  expect(decisions.filter(({ reason }) => reason === 'CONNECTION_LIMIT').length).toBeGreaterThanOrEqual(2)
})

test('requests sent ahead on one connection count like connections', async () => {
  const port = await startTcp((socket) => socket.on('data', () => undefined))
  const { proxy, pass, decisions } = await proxyWith({ connections: 2, idleTimeout: 0.2 }, port)
  const get = `GET http://api.example/ HTTP/1.1\r\nHost: x\r\nProxy-Authorization: ${credentials(pass)}\r\n\r\n`
  await sendRaw(proxy.port, get.repeat(5))
  expect(decisions.map(({ reason }) => reason)).toEqual(['CONNECTION_LIMIT', undefined, undefined])
})

test('the number of connections without a token is bounded', async () => {
  const origin = await startOrigin()
  const { pass, proxy } = await proxyWith({ allConnections: 3 }, origin.port)
  const strangers = Array.from({ length: 4 }, () =>
    connect(proxy.port, '127.0.0.1').on('error', () => undefined),
  )
  await eventually(() => expect(strangers.filter(({ closed }) => closed).length).toBe(1))
  for (const stranger of strangers) stranger.destroy()
  await eventually(async () => expect((await send(pass, 'http://api.example/')).status).toBe(200))
})
