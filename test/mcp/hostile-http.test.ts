import { randomUUID } from 'node:crypto'
import { type OutgoingHttpHeaders, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ShellHost } from '../../src/index.ts'
import { type McpHttpServer, serveHttp } from '../../src/mcp/index.ts'
import { call, connectOverHttp, textOf } from './helpers.ts'

const host = new ShellHost({ isolation: 'shared' })
let server: McpHttpServer
beforeAll(async () => {
  server = await serveHttp({ host, maxBodyBytes: 100_000, allowedOrigins: ['https://app.example.com'] })
})
afterAll(async () => {
  await server.close()
  await host.close()
})

const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
const initialize = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
})

interface Answer {
  readonly status: number | undefined
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: string
}

/** Sends a request with exactly these headers. */
function send({
  method = 'POST',
  path = '/mcp',
  body = '',
  ...rest
}: {
  readonly method?: string
  readonly path?: string
  readonly body?: string
  readonly headers?: OutgoingHttpHeaders
}): Promise<Answer> {
  const { port } = new URL(server.url)
  return new Promise((resolve, reject) => {
    const options = {
      host: '127.0.0.1',
      port,
      method,
      path,
      agent: false,
      headers: { ...headers, ...rest.headers },
    }
    const sent = request(options, (response) => {
      text(response).then(
        (answer) => resolve({ status: response.statusCode, headers: response.headers, body: answer }),
        reject,
      )
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

function errorOf({ status, body }: Answer): unknown {
  const { jsonrpc, error, id } = JSON.parse(body)
  expect({ jsonrpc, id }).toEqual({ jsonrpc: '2.0', id: null })
  return [status, error.code]
}

async function serverIsWell(): Promise<void> {
  const { client, transport } = await connectOverHttp(server.url)
  expect(textOf(await call(client, 'shell', { command: 'echo well' }))).toBe('well')
  await transport.terminateSession()
}

describe('a request is refused', () => {
  test.each([
    'evil.example.com',
    'evil.example.com:80',
    '127.0.0.1.evil.example.com',
    'localhost.evil.example.com',
    'evil@localhost',
    'localhost@evil',
    '127.0.0.1:80:80',
    '[::2]',
    '0.0.0.0',
    ' ',
  ])('under the Host %j', async (name) => {
    const answer = await send({ body: initialize, headers: { host: name } })
    expect([400, 403]).toContain(answer.status)
    expect(answer.headers['mcp-session-id']).toBeUndefined()
  })

  test.each([
    'http://evil.example.com',
    'null',
    'http://localhost:3000',
    'https://app.example.com.evil.com',
    '',
  ])('from a page of the Origin %j', async (origin) => {
    const answer = await send({ body: initialize, headers: { origin } })
    expect(errorOf(answer)).toEqual([403, -32_000])
    expect(answer.headers['access-control-allow-origin']).toBeUndefined()
    expect((await send({ method: 'OPTIONS', headers: { origin } })).status).toBe(403)
  })

  test.each([
    ['no JSON', '{"jsonrpc":', [400, -32_700]],
    ['nothing', '', [400, -32_700]],
    ['a string', '"initialize"', [400, -32_000]],
    ['null', 'null', [400, -32_000]],
    ['an empty batch', '[]', [400, -32_000]],
    ['a batch', `[${initialize},${initialize}]`, [400, -32_000]],
    ['a call before the session', '{"jsonrpc":"2.0","id":1,"method":"tools/list"}', [400, -32_000]],
    ['a deep body', '['.repeat(50_000) + ']'.repeat(50_000), [400, -32_000]],
    ['a polluted prototype', '{"__proto__":{"method":"initialize"},"jsonrpc":"2.0","id":1}', [400, -32_000]],
  ])('with %s for a body', async (_, body, expected) => {
    expect(errorOf(await send({ body }))).toEqual(expected)
  })

  test('that announces a giant body, before any of it is read', async () => {
    const { port } = new URL(server.url)
    const status = await new Promise((resolve, reject) => {
      const announced = { ...headers, 'content-length': 10 ** 10 }
      const sent = request({
        host: '127.0.0.1',
        port,
        path: '/mcp',
        method: 'POST',
        agent: false,
        headers: announced,
      })
      sent.on('response', (response) => {
        resolve(response.statusCode)
        sent.destroy()
      })
      sent.on('error', reject)
      sent.write('{')
    })
    expect(status).toBe(413)
  })

  test('that sends a giant body without announcing it', async () => {
    const { port } = new URL(server.url)
    const outcome = await new Promise((resolve) => {
      const chunked = { ...headers, 'transfer-encoding': 'chunked' }
      const sent = request({
        host: '127.0.0.1',
        port,
        path: '/mcp',
        method: 'POST',
        agent: false,
        headers: chunked,
      })
      sent.on('response', (response) => {
        resolve(response.statusCode)
        sent.destroy()
      })
      // The connection may end while the client still sends.
      sent.on('error', () => resolve(413))
      const more = () => {
        while (!sent.destroyed && sent.write('x'.repeat(50_000)));
        sent.once('drain', more)
      }
      more()
    })
    expect(outcome).toBe(413)
    await serverIsWell()
  })

  test('for another path, by another method, or without a session', async () => {
    expect(errorOf(await send({ path: '/', body: initialize }))).toEqual([404, -32_000])
    expect(errorOf(await send({ path: '/mcp/../etc', body: initialize }))).toEqual([404, -32_000])
    expect(errorOf(await send({ method: 'PUT', body: initialize }))).toEqual([405, -32_000])
    expect(errorOf(await send({ method: 'GET' }))).toEqual([400, -32_000])
    expect(errorOf(await send({ method: 'DELETE' }))).toEqual([400, -32_000])
  })

  test.each(['', 'x', randomUUID(), '__proto__', 'constructor', 'x'.repeat(5000)])(
    'for the session %j, which there is not',
    async (id) => {
      for (const method of ['POST', 'GET', 'DELETE']) {
        const answer = await send({
          method,
          headers: { 'mcp-session-id': id },
          body: method === 'POST' ? '{}' : '',
        })
        expect(errorOf(answer)).toEqual([404, -32_001])
      }
    },
  )

  test('and takes no place of a session', async () => {
    const wrongAccept = await send({ body: initialize, headers: { accept: 'text/html' } })
    expect(wrongAccept.status).toBe(406)
    const wrongType = await send({ body: initialize, headers: { 'content-type': 'text/plain' } })
    expect(wrongType.status).toBe(415)
    expect(server.sessions).toBe(0)
    expect(host.list()).toEqual([])
    await serverIsWell()
  })
})

test('a page of an allowed origin may ask, and read the answer', async () => {
  const origin = 'https://app.example.com'
  const asked = await send({
    method: 'OPTIONS',
    headers: { origin, 'access-control-request-method': 'POST' },
  })
  expect(asked.status).toBe(204)
  expect(asked.headers).toMatchObject({
    'access-control-allow-origin': origin,
    'access-control-allow-methods': 'POST, GET, DELETE',
    vary: 'origin',
  })
  const answer = await send({ body: initialize, headers: { origin } })
  expect(answer.status).toBe(200)
  expect(answer.headers['access-control-allow-origin']).toBe(origin)
  const id = String(answer.headers['mcp-session-id'])
  expect((await send({ method: 'DELETE', headers: { 'mcp-session-id': id } })).status).toBe(200)
})

test('a connection that breaks during a call takes neither the call nor the session along', async () => {
  const { client, transport } = await connectOverHttp(server.url)
  await call(client, 'shell', { command: 'true' })
  const params = { name: 'shell', arguments: { command: 'sleep 0.5; echo ran > /tmp/f' } }
  const gone = new AbortController()
  const { body } = await fetch(server.url, {
    method: 'POST',
    signal: gone.signal,
    headers: { ...headers, 'mcp-session-id': transport.sessionId ?? '' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 'lost', method: 'tools/call', params }),
  })
  gone.abort()
  await expect(body?.getReader().read()).rejects.toThrow('abort')
  expect(textOf(await call(client, 'shell', { command: 'cat /tmp/f' }))).toBe('ran')
  await transport.terminateSession()
})

test('messages of no sense leave a session as it was', async () => {
  const { client, transport } = await connectOverHttp(server.url)
  await call(client, 'shell', { command: 'cd /tmp' })
  const id = { 'mcp-session-id': transport.sessionId ?? '' }
  for (const body of [
    '{',
    '{"jsonrpc":"1.0","id":1,"method":"tools/list"}',
    '{"jsonrpc":"2.0","id":{},"method":"tools/list"}',
    initialize,
    '{"jsonrpc":"2.0","id":"x","result":{}}',
    '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"of nobody"}}',
  ]) {
    expect([200, 202, 400]).toContain((await send({ body, headers: id })).status)
  }
  const unknown = await send({ body: '{"jsonrpc":"2.0","id":9,"method":"no/such"}', headers: id })
  expect(unknown.body).toContain('-32601')
  for (const params of [
    '{}',
    '{"name":3}',
    '{"name":"__proto__"}',
    '{"name":"shell","arguments":"ls"}',
    '[]',
  ]) {
    const body = `{"jsonrpc":"2.0","id":10,"method":"tools/call","params":${params}}`
    const answer = await send({ body, headers: id })
    expect(answer.body, params).toMatch(/"error"|"isError":true|-32\d\d\d/)
  }
  expect(textOf(await call(client, 'shell', { command: 'pwd' }))).toBe('/tmp')
  await transport.terminateSession()
})
