import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createMcpExpressApp } from '@modelcontextprotocol/sdk/server/express.js'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { ShellHost } from '../../src/index.ts'
import { createHttpHandler, type HttpHandlerOptions, type McpHttpHandler } from '../../src/mcp/index.ts'
import { within } from '../faults/helpers.ts'
import { bearer, call, connectOverHttp, textOf, until, workThrough } from './helpers.ts'

const token = 'a-token-of-this-test'
const host = new ShellHost({ isolation: 'shared' })
afterAll(() => host.close())

type Listener = (request: IncomingMessage, response: ServerResponse) => unknown

/** A handler that the test's end closes. */
async function handlerOf(options: HttpHandlerOptions = {}): Promise<McpHttpHandler> {
  const who = options.authenticate === undefined ? { token } : {}
  const handler = await createHttpHandler({ host, ...who, ...options })
  onTestFinished(() => handler.close())
  return handler
}

/** The address of a server that the test's end closes. */
async function listen(listener: Listener): Promise<{ readonly url: string; readonly server: Server }> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server }
}

const json = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
}
function post(url: string, body: unknown = initialize, headers: Record<string, string> = bearer(token)) {
  return fetch(url, { method: 'POST', headers: { ...json, ...headers }, body: JSON.stringify(body) })
}

/** What is used of Express. */
interface ExpressApp extends Listener {
  use(path: string, listener: Listener): void
  get(path: string, listener: Listener): void
}

describe('a handler', () => {
  test('answers under the path that its server gives it', async () => {
    const handler = await handlerOf()
    const { url } = await listen((request, response) => {
      if (request.url?.startsWith('/tools/mcp')) return handler(request, response)
      return response.end('the page of the service')
    })
    const { client, transport } = await connectOverHttp(`${url}/tools/mcp?tenant=7`, token)
    await workThrough(client, 'mounted')
    expect(await (await fetch(url)).text()).toBe('the page of the service')
    expect([handler.sessions, handler.sandboxes.map(({ name }) => name)]).toEqual([1, ['session-1']])
    await transport.terminateSession()
    await until(() => handler.sessions === 0)
  })

  test('answers in Express, behind a path that is taken off and a body that was parsed', async () => {
    const handler = await handlerOf({ token: { alice: token } })
    const app: ExpressApp = createMcpExpressApp()
    app.use('/tools/mcp', handler)
    app.get('/', (_request, response) => response.end('home'))
    const { url } = await listen(app)
    const { client, transport } = await connectOverHttp(`${url}/tools/mcp`, token)
    await workThrough(client, 'in Express')
    expect(await handler.sandbox('alice')?.use((sandbox) => sandbox.readText('/tmp/note'))).toBe(
      'in Express\n',
    )
    expect(await (await fetch(url)).text()).toBe('home')
    await transport.terminateSession()
  })

  test('takes a body that was read as bytes or text, within its bounds', async () => {
    const handler = await handlerOf({ maxBodyBytes: 1000 })
    const { url } = await listen(async (request, response) => {
      const pieces: Buffer[] = []
      for await (const piece of request) pieces.push(piece)
      const bytes = Buffer.concat(pieces)
      const bodies: Readonly<Record<string, unknown>> = { '/bytes': bytes, '/text': bytes.toString() }
      await handler(Object.assign(request, { body: bodies[request.url ?? ''] }), response)
    })
    for (const path of ['/bytes', '/text']) {
      const answer = await post(url + path)
      expect([path, answer.status]).toEqual([path, 200])
      const id = { 'mcp-session-id': answer.headers.get('mcp-session-id') ?? '' }
      expect((await post(url + path, 'x'.repeat(1000), { ...bearer(token), ...id })).status).toBe(413)
    }
    expect((await post(`${url}/lost`)).status).toBe(500)
  })

  test('asks who sent a request, and holds each session to its client', async () => {
    const lines: string[] = []
    const handler = await handlerOf({
      log: (line) => lines.push(line),
      authenticate: async ({ headers }) => {
        if (headers['x-user'] === 'broken') throw new Error('no users now')
        return String(headers['x-user'] ?? '') || undefined
      },
    })
    const { url } = await listen(handler)
    const as = (user: string, more: Record<string, string> = {}) =>
      post(url, initialize, { 'x-user': user, ...more })
    const answer = await as('ada')
    expect(answer.status).toBe(200)
    expect(handler.sandbox('ada')?.client).toBe('ada')
    const id = { 'mcp-session-id': answer.headers.get('mcp-session-id') ?? '' }
    expect((await as('eve', id)).status).toBe(404)
    expect((await as('')).status).toBe(401)
    expect((await as('broken')).status).toBe(500)
    expect((await as('a#2')).status).toBe(500)
    expect(lines).toEqual([
      'A session began (ada): 1 of 64 in use.',
      'A request failed: Error: no users now',
      expect.stringContaining('authenticate gave no name'),
    ])
  })

  test('lets a session end whose client went away while it was asked who that is', async () => {
    let release: (() => void) | undefined
    const handler = await handlerOf({
      idleTimeout: 0.2,
      authenticate: async ({ headers }) => {
        if (headers['x-wait'] !== undefined) await new Promise<void>((resolve) => (release = resolve))
        return 'ada'
      },
    })
    let isLost = false
    const { url } = await listen((request, response) => {
      if (request.headers['x-wait'] !== undefined) request.socket.once('close', () => (isLost = true))
      return handler(request, response)
    })
    const answer = await post(url, initialize, {})
    const id = { 'mcp-session-id': answer.headers.get('mcp-session-id') ?? '', 'x-wait': 'yes' }
    const gone = new AbortController()
    const waiting = fetch(url, { headers: { ...json, ...id }, signal: gone.signal }).catch(String)
    await until(() => release !== undefined)
    gone.abort()
    await waiting
    await until(() => isLost)
    release?.()
    await until(() => handler.sessions === 0)
  })

  test('refuses names and pages that are not allowed, and more requests than it takes', async () => {
    const handler = await handlerOf({ allowedHosts: ['mcp.example.com'], maxPendingRequests: 1 })
    const { url } = await listen(async (request, response) => {
      request.headers.host = request.headers['x-host']?.toString() ?? request.headers.host
      await handler(request, response)
    })
    const under = (name: string) => post(url, initialize, { ...bearer(token), 'x-host': name })
    expect((await under('evil.example.com')).status).toBe(403)
    expect((await under('mcp.example.com:443')).status).toBe(200)
    const page = await post(url, initialize, { ...bearer(token), origin: 'https://evil.example.com' })
    expect(page.status).toBe(403)
    const { transport, client } = await connectOverHttp(url, token)
    await call(client, 'shell', { command: 'true' })
    const calls = [1, 2].map((id) => ({ jsonrpc: '2.0', id, method: 'tools/list' }))
    const headers = { ...bearer(token), 'mcp-session-id': transport.sessionId ?? '' }
    expect((await post(url, calls, headers)).status).toBe(429)
  })

  test('lets calls end when it is closed, leaves the server alone, and answers no more', async () => {
    const handler = await createHttpHandler({ host, token })
    const { url } = await listen((request, response) =>
      request.url === '/' ? response.end('up') : handler(request, response),
    )
    const { client } = await connectOverHttp(`${url}/mcp`, token)
    await call(client, 'shell', { command: 'true' })
    const pending = call(client, 'shell', { command: 'sleep 0.5; echo finished' })
    await until(() => host.list().some(({ pending: calls }) => calls === 1))
    const closing = handler.close({ grace: 20 })
    expect(textOf(await pending)).toBe('finished')
    await within(60, closing)
    expect(handler.sandboxes).toEqual([])
    expect((await post(`${url}/mcp`)).status).toBe(503)
    expect(await (await fetch(url)).text()).toBe('up')
  })
})

test.each<[HttpHandlerOptions, string]>([
  [{}, 'token'],
  [{ token, authenticate: () => 'me' }, 'authenticate'],
  [{ authenticate: 'me' as never }, 'authenticate'],
  [{ token, sandbox: { timeout: 0 } }, 'timeout'],
  [{ token, changeTools: ['apply' as never] }, 'changeTools[0]'],
  [{ token, changeTools: true as never }, 'changeTools'],
  [{ token, port: 80 } as HttpHandlerOptions, 'port'],
  [{ token, maxConnections: 8 } as HttpHandlerOptions, 'maxConnections'],
])('%j is refused by its name', async (options, field) => {
  await expect(createHttpHandler(options)).rejects.toMatchObject({ code: 'INVALID_CONFIG', field })
})
