import { once } from 'node:events'
import { createServer, request } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type ServeHttpOptions, serveHttp } from '../../src/mcp/index.ts'
import { within } from '../faults/helpers.ts'
import {
  bearer,
  call,
  cancelUnderWay,
  connectOverHttp,
  serve,
  sharedHost,
  textOf,
  until,
  workThrough,
} from './helpers.ts'

const tokens = ['a-token-of-the-first-client', 'a-token-of-the-second-one'] as const

describe('over HTTP', () => {
  test('an agent writes a file, reads it, is refused, and ends', async () => {
    const host = sharedHost()
    const server = await serve({ host })
    const { client, transport } = await connectOverHttp(server.url)
    await workThrough(client, 'over HTTP')
    expect(server.sessions).toBe(1)
    await transport.terminateSession()
    await until(() => server.sessions === 0 && host.list().length === 0)
  })

  test('20 clients at once have a sandbox each, and all of it goes with the server', async () => {
    const host = sharedHost()
    const server = await serveHttp({ host, maxSessions: 20 })
    const clients = Array.from({ length: 20 }, async (_, index) => {
      const { client } = await connectOverHttp(server.url)
      await workThrough(client, `I am ${index}`)
      const progress: unknown[] = []
      const command = { name: 'shell', arguments: { command: 'sleep 1.2; cat /tmp/note' } }
      const result = await client.callTool(command, undefined, { onprogress: (step) => progress.push(step) })
      expect(progress.length).toBeGreaterThan(0)
      return result['structuredContent']
    })
    const seen = await Promise.all(clients)
    expect(seen).toEqual(seen.map((_, index) => expect.objectContaining({ stdout: `I am ${index}\n` })))
    expect({ sessions: server.sessions, sandboxes: host.list().length }).toEqual({
      sessions: 20,
      sandboxes: 20,
    })
    await within(60, server.close())
    expect({ sessions: server.sessions, sandboxes: host.list().length }).toEqual({
      sessions: 0,
      sandboxes: 0,
    })
    await expect(fetch(server.url)).rejects.toThrow()
  })

  test('sessions of requests that were piled up on a lost socket end when they are idle', async () => {
    const server = await serve({ idleTimeout: 0.3 })
    const id = (await post(server.url, initialize)).headers.get('mcp-session-id')
    const body = JSON.stringify(initialize)
    const { port, hostname } = new URL(server.url)
    const socket = connect(Number(port), hostname)
    const fields = Object.entries({ ...jsonHeaders, host: `${hostname}:${port}` }).map((pair) =>
      pair.join(': '),
    )
    const size = `content-length: ${body.length}`
    socket.write(['GET /mcp HTTP/1.1', ...fields, `mcp-session-id: ${id}`, '', ''].join('\r\n'))
    for (let piled = 0; piled < 3; piled++)
      socket.write(['POST /mcp HTTP/1.1', ...fields, size, '', body].join('\r\n'))
    await until(() => server.sessions === 4)
    socket.destroy()
    await until(() => server.sessions === 0)
  })

  test('a cancelled request ends its call, and the session goes on', async () => {
    const host = sharedHost()
    const server = await serve({ host, sandbox: { onInterrupt: 'reset' } })
    const { client } = await connectOverHttp(server.url)
    await cancelUnderWay(client, host)
    const start = performance.now()
    await server.close({ grace: 20 })
    expect(performance.now() - start).toBeLessThan(10_000)
  })

  test('a session whose client has gone without a word is ended when it is idle', async () => {
    const host = sharedHost()
    const lines: string[] = []
    const server = await serve({ host, idleTimeout: 0.3, log: (line) => lines.push(line) })
    const { client, transport } = await connectOverHttp(server.url)
    await call(client, 'shell', { command: 'true' })
    await transport.close()
    await until(() => server.sessions === 0 && host.list().length === 0)
    expect(lines).toEqual([
      'A session began (session-1): 1 of 64 in use.',
      'A session ended, as nothing used it (session-1): 0 of 64 in use.',
    ])
  })

  test('a session whose client listens is kept, and its idle sandbox is not', async () => {
    const host = sharedHost()
    const server = await serve({ host, idleTimeout: 1 })
    const { client } = await connectOverHttp(server.url)
    await call(client, 'shell', { command: 'true' })
    await until(() => host.list().length === 0)
    expect(textOf(await call(client, 'shell', { command: 'true' }))).toMatch(/^Note: /)
    expect(server.sessions).toBe(1)
  })

  test('no more sessions than allowed, and a place is free again when one ends', async () => {
    const server = await serve({ maxSessions: 2 })
    const [first] = [await connectOverHttp(server.url), await connectOverHttp(server.url)]
    const refused = await post(server.url, initialize)
    expect(refused.status).toBe(503)
    expect(refused.headers.get('retry-after')).toBe('10')
    expect(await refused.json()).toMatchObject({ jsonrpc: '2.0', error: { code: -32_000 }, id: null })
    await expect(connectOverHttp(server.url)).rejects.toThrow('in use')
    await first.transport.terminateSession()
    await until(() => server.sessions === 1)
    await connectOverHttp(server.url)
  })

  test('a token is asked for where there is one', async () => {
    const server = await serve({ token: tokens[0] })
    for (const token of [undefined, 'x', tokens[1], `${tokens[0]}x`, tokens[0].toUpperCase()]) {
      const refused = await post(server.url, initialize, bearer(token))
      expect(refused.status, String(token)).toBe(401)
      expect(refused.headers.get('www-authenticate')).toMatch(/^Bearer/)
    }
    const { client } = await connectOverHttp(server.url, tokens[0])
    await workThrough(client, 'with a token')
  })

  test('a session answers none but the client that began it', async () => {
    const server = await serve({ token: tokens })
    const { client, transport } = await connectOverHttp(server.url, tokens[0])
    await call(client, 'shell', { command: 'echo mine > /tmp/f' })
    const headers = { ...bearer(tokens[1]), 'mcp-session-id': transport.sessionId ?? '' }
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
    for (const method of ['POST', 'GET', 'DELETE']) {
      const response = await fetch(server.url, {
        method,
        headers: { ...jsonHeaders, ...headers },
        ...(method === 'POST' ? { body: JSON.stringify(list) } : {}),
      })
      expect(response.status, method).toBe(404)
      expect(await response.json()).toMatchObject({ error: { code: -32_001 } })
    }
    expect(textOf(await call(client, 'shell', { command: 'cat /tmp/f' }))).toBe('mine')
  })
})

describe('an address other than loopback', () => {
  test.each(['0.0.0.0', '::', '192.0.2.1', 'example.com', '127.0.0.1.example.com'])(
    '%s is refused without a token',
    async (hostname) => {
      await expect(serveHttp({ hostname })).rejects.toMatchObject({
        code: 'INVALID_CONFIG',
        field: 'token',
        message: expect.stringContaining('Give a token'),
      })
    },
  )

  test('is served with one, under the names that are allowed', async () => {
    const server = await serve({ hostname: '0.0.0.0', token: tokens[0], allowedHosts: ['mcp.example.com'] })
    const url = server.url.replace('0.0.0.0', '127.0.0.1')
    const { client } = await connectOverHttp(url, tokens[0])
    expect(textOf(await call(client, 'shell', { command: 'echo hi' }))).toBe('hi')
    const { port } = new URL(url)
    const statusFor = (host: string) => statusOf(Number(port), { host, ...bearer(tokens[0]) })
    expect(await statusFor('mcp.example.com')).toBe(400)
    expect(await statusFor('MCP.example.com:8443')).toBe(400)
    expect(await statusFor('other.example.com')).toBe(403)
  })
})

describe('closing', () => {
  test('lets calls under way end for as long as it is given', async () => {
    const server = await serve()
    const { client } = await connectOverHttp(server.url)
    await call(client, 'shell', { command: 'true' })
    const pending = call(client, 'shell', { command: 'sleep 1; echo finished' })
    await new Promise((resolve) => setTimeout(resolve, 200))
    const closing = server.close({ grace: 20 })
    expect(textOf(await pending)).toBe('finished')
    await within(60, closing)
    expect(server.sessions).toBe(0)
  })

  test('gives up calls under way after that, and tells their clients', async () => {
    const host = sharedHost()
    const server = await serve({ host, sandbox: { onInterrupt: 'reset' } })
    const { client } = await connectOverHttp(server.url)
    await call(client, 'shell', { command: 'true' })
    const pending = call(client, 'shell', { command: 'sleep 25' })
    await until(() => host.list()[0]?.pending === 1)
    await within(60, server.close({ grace: 0.2 }))
    expect(host.list()).toEqual([])
    expect(textOf(await within(30, pending))).toMatch(/^CLOSED: .* session ends/)
  })

  test('leaves no socket and no timer', async () => {
    const before = process.getActiveResourcesInfo().toSorted()
    const host = sharedHost()
    const server = await serveHttp({ host })
    const { client } = await connectOverHttp(server.url)
    await call(client, 'shell', { command: 'true' })
    await server.close()
    await client.close()
    await host.close()
    await until(() => process.getActiveResourcesInfo().length <= before.length)
  })

  test('an address in use is told, and nothing is left behind', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    onTestFinished(() => {
      other.close()
    })
    const { port } = other.address() as AddressInfo
    await expect(serveHttp({ port })).rejects.toMatchObject({ code: 'EADDRINUSE' })
  })
})

describe('options', () => {
  const cases: readonly (readonly [ServeHttpOptions, string])[] = [
    [{ port: -1 }, 'port'],
    [{ port: 70_000 }, 'port'],
    [{ token: '' }, 'token'],
    [{ token: 'short' }, 'token'],
    [{ token: [] }, 'token'],
    [{ token: ['a-token-with a space in it'] }, 'token'],
    [{ maxSessions: 0 }, 'maxSessions'],
    [{ maxSessionsPerClient: 0 }, 'maxSessionsPerClient'],
    [{ maxBodyBytes: 0 }, 'maxBodyBytes'],
    [{ maxPendingRequests: 0 }, 'maxPendingRequests'],
    [{ maxBodyBytes: 1000, maxPendingBytes: 999 }, 'maxPendingBytes'],
    [{ maxConnections: 0 }, 'maxConnections'],
    [{ allowedHosts: ['example.com:80'] }, 'allowedHosts'],
    [{ allowedOrigins: ['*'] }, 'allowedOrigins'],
    [{ allowedOrigins: ['https://example.com/'] }, 'allowedOrigins'],
    [{ idleTimeout: -1 }, 'idleTimeout'],
    [{ sandbox: { timeout: 0 } }, 'timeout'],
  ]
  test('one that there is not is refused: a misspelt token is no token', async () => {
    const misspelt = { tokens: tokens[0] }
    await expect(serveHttp(misspelt as ServeHttpOptions)).rejects.toMatchObject({ field: 'tokens' })
  })

  test.each(cases)('%j is refused by its name', async (options, field) => {
    const failure = await serveHttp(options).catch((error: unknown) => error)
    expect(failure).toMatchObject({ code: 'INVALID_CONFIG', field })
    expect(String(failure)).not.toContain('short')
  })
})

const jsonHeaders = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
}

function post(url: string, message: unknown, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { ...jsonHeaders, ...headers },
    body: JSON.stringify(message),
  })
}

/** The status of a GET with headers that fetch would not let us set. */
function statusOf(port: number, headers: Record<string, string>): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    request({ port, host: '127.0.0.1', path: '/mcp', headers, agent: false }, (response) => {
      response.resume()
      resolve(response.statusCode)
    })
      .on('error', reject)
      .end()
  })
}
