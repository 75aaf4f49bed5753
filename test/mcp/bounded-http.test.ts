import { once } from 'node:events'
import { connect as connectSocket, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { bearer, call, connectOverHttp, serve, sharedHost, textOf, until } from './helpers.ts'

const mebibyte = 2 ** 20
const token = 'a-token-of-this-test'

/** A session, and what sends requests of it without the client's bookkeeping. */
async function session(url: string) {
  const { client, transport } = await connectOverHttp(url, token)
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-session-id': String(transport.sessionId),
    'mcp-protocol-version': '2025-06-18',
    ...bearer(token),
  }
  let id = 1000
  const tool = (name: string, args: object) => ({
    jsonrpc: '2.0',
    id: ++id,
    method: 'tools/call',
    params: { name, arguments: args },
  })
  const post = (body: object, signal?: AbortSignal) =>
    fetch(url, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
      ...(signal === undefined ? {} : { signal }),
    })
  return { client, tool, post }
}

/** A command that runs until the file is there. */
const waiting = 'while ! [ -e /tmp/go ]; do sleep 0.02; done'

test('one client cannot fill the memory of the server with requests that wait', async () => {
  const server = await serve({ token, maxPendingBytes: 8 * mebibyte, maxBodyBytes: mebibyte })
  const { client, tool, post } = await session(server.url)
  await call(client, 'shell', { command: 'true' })
  const running = await post(tool('shell', { command: 'sleep 1.5' }))
  const write = () => post(tool('write_file', { path: '/tmp/large', content: 'x'.repeat(0.9 * mebibyte) }))
  const [first, second] = [write(), write()]
  const third = await write()
  expect([third.status, third.headers.get('retry-after')]).toEqual([429, '1'])
  expect(await third.json()).toMatchObject({ error: { message: expect.stringContaining('2097152 bytes') } })
  const other = await session(server.url)
  expect(textOf(await call(other.client, 'shell', { command: 'echo other' }))).toBe('other')
  for (const answer of [await first, await second])
    expect(await answer.text()).toContain('"structuredContent"')
  expect(await running.text()).toContain('"structuredContent"')
  expect((await write()).status).toBe(200)
})

test('what a client says of itself as a session begins, and the session keeps, is bounded', async () => {
  const server = await serve({ token })
  const begin = (name: string) =>
    fetch(server.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...bearer(token),
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'initialize',
        params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name, version: '1' } },
      }),
    })
  expect((await begin('x'.repeat(2 * mebibyte))).status).toBe(413)
  expect((await begin('x'.repeat(100_000))).status).toBe(200)
})

test('a client that goes away before the answer does not get its requests for nothing', async () => {
  const server = await serve({ token, maxPendingRequests: 4 })
  const { client, tool, post } = await session(server.url)
  await call(client, 'shell', { command: 'true' })
  for (let i = 0; i < 4; i++) {
    const gone = new AbortController()
    const answer = await post(tool('shell', { command: waiting, timeout: 60 }), gone.signal)
    expect(answer.status).toBe(200)
    gone.abort()
  }
  expect((await post(tool('shell', { command: 'true' }))).status).toBe(429)
  const batch = await session(server.url)
  const calls = Array.from({ length: 5 }, () => batch.tool('shell', { command: 'true' }))
  expect((await batch.post(calls)).status).toBe(429)
})

test('connections are bounded, and a client has one again when others have gone', async () => {
  const server = await serve({ host: sharedHost(), maxConnections: 3 })
  const { port } = new URL(server.url)
  const sockets: Socket[] = []
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
  })
  for (let i = 0; i < 3; i++) {
    const socket = connectSocket(Number(port), '127.0.0.1')
    sockets.push(socket)
    await once(socket, 'connect')
  }
  await expect(fetch(server.url)).rejects.toThrow()
  for (const socket of sockets) socket.destroy()
  await until(async () => (await fetch(server.url).catch(() => undefined)) !== undefined)
})
