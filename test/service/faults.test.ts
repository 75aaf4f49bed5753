import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import type { Service } from '../../src/service/index.ts'
import { until } from '../mcp/helpers.ts'
import { byTier, isFull } from '../support/tier.ts'
import { clientOf, startService, token } from './helpers.ts'

/** A connection that the test's end closes, and what it got. */
async function open({ url }: Service): Promise<{ readonly socket: Socket; readonly text: () => string }> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  socket.on('error', () => undefined)
  let text = ''
  socket.on('data', (piece) => {
    text += piece
  })
  await once(socket, 'connect')
  return { socket, text: () => text }
}

function post(path: string, body: string, headers = ''): string {
  return `POST ${path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n${headers}\r\n${body}`
}

const forever = JSON.stringify({ command: 'while :; do sleep 0.05; done' })

test('a command without a key is stopped when its client is gone', async () => {
  const service = await startService()
  const send = clientOf(service)
  await send('PUT', '/v1/sandboxes/a', {})
  const { socket } = await open(service)
  socket.write(post('/v1/sandboxes/a/execute', forever))
  await until(() => service.host.get('a')?.pending === 1)
  socket.destroy()
  await until(() => service.host.get('a')?.pending === 0)
  expect((await send('GET', '/v1/sandboxes/a')).json).toMatchObject({
    lastCommand: { state: 'failed', problem: 'ABORTED' },
  })
})

test('a command with a key is stopped when its client stays away', async () => {
  const service = await startService({ resumeTime: 0.1 })
  await clientOf(service)('PUT', '/v1/sandboxes/a', {})
  const { socket } = await open(service)
  socket.write(post('/v1/sandboxes/a/execute', forever, 'idempotency-key: k\r\n'))
  await until(() => service.host.get('a')?.pending === 1)
  socket.destroy()
  await until(() => service.host.get('a')?.pending === 0)
})

test('a client that does not read holds up nobody, and reads all of it later', async () => {
  const service = await startService()
  const send = clientOf(service)
  await send('PUT', '/v1/sandboxes/a', {})
  const { socket, text } = await open(service)
  socket.pause()
  const body = JSON.stringify({
    command: 'i=0; while [ $i -lt 80 ]; do printf "%065536d" 7; i=$((i+1)); done',
  })
  socket.write(post('/v1/sandboxes/a/execute', body, 'accept: text/event-stream\r\nconnection: close\r\n'))
  await until(async () => (await send('GET', '/v1/sandboxes/a/executions')).text.includes('"ended"'))
  expect((await send('POST', '/v1/sandboxes/a/execute', { command: 'echo on' })).json).toMatchObject({
    stdout: 'on\n',
  })
  socket.resume()
  await once(socket, 'close')
  expect(text().split('7').length - 1).toBeGreaterThanOrEqual(160)
  expect(text()).toContain('event: result')
})

test('what is no request is answered or cut off, and the service goes on', async () => {
  const service = await startService()
  for (const garbage of [
    '\0\0\0\0',
    'GET / HTTP/9.9\r\n\r\n',
    `GET /${'x'.repeat(100_000)} HTTP/1.1\r\nhost: localhost\r\n\r\n`,
    'POST /v1/sandboxes HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\ncontent-length: 5\r\n\r\n',
    'GET /v1/%ff%fe HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n',
    'GET /v1/sandboxes/x/terminal HTTP/1.1\r\nhost: localhost\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n',
  ]) {
    const { socket, text } = await open(service)
    // A service that closes before it has read all resets the connection.
    socket.on('error', (error) => expect(error).toMatchObject({ code: 'ECONNRESET' }))
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
    socket.end(garbage)
    await closed
    expect(text()).toMatch(/^(HTTP\/1\.1 4\d\d |$)/)
  }
  expect((await clientOf(service)('GET', '/v1/self')).status).toBe(200)
})

test('a web socket that is refused leaves no connection, also of a client that does not end its side', async () => {
  const service = await startService()
  const port = Number(new URL(service.url).port)
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  onTestFinished(() => void socket.destroy())
  socket.on('error', () => undefined)
  socket.resume()
  socket.write(
    'GET /v1/sandboxes/a/terminal HTTP/1.1\r\nhost: localhost\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n',
  )
  await once(socket, 'end')
  await service.close({ grace: 0 })
})

test('a connection on which requests pile up that wait for who sent them is closed', async () => {
  let asked = 0
  const held: (() => void)[] = []
  const service = await startService({
    tokens: () => {
      asked += 1
      return new Promise((resolve) => held.push(() => resolve({ name: 'someone' })))
    },
  })
  const get = `GET /v1/self HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${token}\r\n\r\n`
  const { socket: few, text } = await open(service)
  few.write(get.repeat(20))
  await until(() => asked === 20)
  const { socket: many } = await open(service)
  many.write(get.repeat(1000))
  await until(() => many.closed)
  expect(asked).toBeLessThanOrEqual(20 + 256)
  for (const answer of held) answer()
  await until(() => text().split('HTTP/1.1 200').length === 21)
})

test('an answer counts until its client has taken it', async () => {
  const service = await startService({ maxPendingRequests: 1 })
  const send = clientOf(service)
  await send('PUT', '/v1/sandboxes/a', {})
  await send('PUT', '/v1/sandboxes/a/file?path=/tmp/f', Buffer.alloc(32 * 2 ** 20))
  const { socket } = await open(service)
  socket.write(
    `GET /v1/sandboxes/a/file?path=/tmp/f HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${token}\r\n\r\n`,
  )
  await once(socket, 'data')
  socket.pause()
  const status = async () => (await send('GET', '/v1/self')).status
  expect(await status()).toBe(429)
  socket.resume()
  await until(async () => (await status()) === 200)
})

test('the bytes of an answer count until its client has taken them', async () => {
  // More than the system holds of a connection whose client does not read.
  const bytes = 2 ** byTier({ default: 24, full: 25 })
  const service = await startService({ maxBodyBytes: bytes, maxPendingBytes: bytes })
  const send = clientOf(service)
  await send('PUT', '/v1/sandboxes/a', {})
  await send('PUT', '/v1/sandboxes/a/file?path=/tmp/d/f', Buffer.alloc(bytes - 2 ** 20))
  const { socket } = await open(service)
  const get = (path: string) =>
    `GET /v1/sandboxes/a/${path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${token}\r\n\r\n`
  const status = async (path: string) => (await send('GET', `/v1/sandboxes/a/${path}`)).status
  for (const path of ['file?path=/tmp/d/f', 'tar?path=/tmp/d', 'snapshot']) {
    socket.write(get(path))
    await once(socket, 'data')
    socket.pause()
    expect([path, await status('file?path=/tmp/d/f'), await status('tar?path=/tmp/d')]).toEqual([
      path,
      429,
      429,
    ])
    expect([path, await status('snapshot'), await status('stat?path=/tmp/d/f')]).toEqual([path, 429, 200])
    socket.resume()
    await until(async () => (await status('tar?path=/tmp/d')) === 200)
  }
})

test.runIf(isFull)('a connection that sends its headers slowly is closed', async () => {
  const service = await startService()
  const { socket } = await open(service)
  socket.write('GET /health HTTP/1.1\r\nhost: localhost\r\n')
  const drip = setInterval(() => socket.write('x: y\r\n'), 500)
  onTestFinished(() => clearInterval(drip))
  await once(socket, 'close')
  expect((await clientOf(service)('GET', '/v1/self')).status).toBe(200)
})

test.runIf(isFull)('10,000 connections that do nothing hold up nobody', { timeout: 300_000 }, async () => {
  const service = await startService()
  const send = clientOf(service)
  await send('PUT', '/v1/sandboxes/a', {})
  for (let batch = 0; batch < 100; batch += 1) {
    await Promise.all(Array.from({ length: 100 }, () => open(service)))
    const { json } = await send('POST', '/v1/sandboxes/a/execute', { command: 'echo on' })
    expect(json).toMatchObject({ stdout: 'on\n' })
  }
})
