import { readFileSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { expect, test } from 'vitest'
import type { Service } from '../../src/service/index.ts'
import { clientOf, startService, token } from './helpers.ts'

const document: { paths: Record<string, Record<string, { 'x-scope'?: string; security: unknown[] }>> } =
  JSON.parse(readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8'))
const routes = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    method: method.toUpperCase(),
    path: path.replaceAll(/\{[a-z]+\}/g, 'none'),
    scope: operation.security.length === 0 ? 'none' : (operation['x-scope'] ?? 'any'),
  })),
)

test('every route asks for a token, and for the scope that the document names', async () => {
  const grants = ['read', 'operate', 'metrics'] as const
  const tokens = grants.map((scope) => ({
    token: `a-token-with-the-scope-${scope}`,
    name: scope,
    scopes: [scope],
  }))
  const log: string[] = []
  const service = await startService({ tokens, log: (line) => log.push(line) })
  expect(routes.length).toBeGreaterThan(30)
  for (const { method, path, scope } of routes) {
    const where = `${method} ${path}`
    const codeFor = async (bearer: string) => (await clientOf(service, bearer)(method, path)).json['code']
    if (scope === 'none') continue
    expect([where, await codeFor(''), await codeFor('a-token-that-nobody-has')]).toEqual([
      where,
      'UNAUTHORIZED',
      'UNAUTHORIZED',
    ])
    for (const { token: bearer, name } of tokens) {
      if (scope === 'any' || scope === name) continue
      expect([where, name, await codeFor(bearer)]).toEqual([where, name, 'FORBIDDEN'])
    }
  }
  expect(service.host.list()).toEqual([])
  expect(log.join()).not.toContain('token')
})

/** Sends a request with headers that `fetch` does not let through. */
function raw(service: Service, headers: Readonly<Record<string, string>>, method = 'GET'): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest(`${service.url}/v1/self`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...headers },
    })
    sent.on('response', (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    sent.on('error', reject)
    sent.end()
  })
}

test('a request under another name, or of the page of another origin, is refused', async () => {
  const service = await startService({
    allowedHosts: ['sandboxes.example'],
    allowedOrigins: ['https://app.example'],
  })
  const { host } = new URL(service.url)
  expect(await raw(service, { host: 'evil.example' })).toBe(403)
  expect(await raw(service, { host: 'sandboxes.example:80' })).toBe(200)
  expect(await raw(service, { origin: 'https://evil.example' })).toBe(403)
  expect(await raw(service, { origin: `http://${host}` })).toBe(200)
  expect(await raw(service, { origin: 'https://app.example' })).toBe(200)
  expect(await raw(service, { origin: 'https://app.example' }, 'OPTIONS')).toBe(204)
  expect(await raw(service, { origin: 'https://evil.example' }, 'OPTIONS')).toBe(403)
})

test('a token may send so many requests a minute, and others are not held up', async () => {
  const tokens = [
    { token, name: 'bounded', requestsPerMinute: 3 },
    { token: 'a-token-without-a-bound', name: 'free' },
  ]
  const service = await startService({ tokens })
  const send = clientOf(service)
  for (let times = 0; times < 3; times += 1) expect((await send('GET', '/v1/self')).status).toBe(200)
  const refused = await send('GET', '/v1/self')
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '20'])
  expect((await clientOf(service, tokens[1]?.token)('GET', '/v1/self')).status).toBe(200)
})

test('bodies are bounded, of the right type, and of the shape of the document', async () => {
  const send = clientOf(await startService({ maxBodyBytes: 1000 }))
  await send('PUT', '/v1/sandboxes/a', {})
  const large = await send('PUT', '/v1/sandboxes/a/file?path=f', Buffer.alloc(1001))
  expect(large.json).toMatchObject({ code: 'TOO_LARGE', status: 413 })
  expect((await send('POST', '/v1/sandboxes', {}, { 'content-type': 'text/plain' })).json).toMatchObject({
    code: 'UNSUPPORTED_MEDIA',
  })
  const refusals: readonly [unknown, string][] = [
    [{ template: 'none' }, 'template'],
    [{ template: 7 }, 'template'],
    [{ config: {} }, 'config'],
    [{ id: '' }, 'id'],
    [{ id: 'x'.repeat(81) }, 'id'],
    [[], 'body'],
    ['text', 'body'],
  ]
  for (const [body, field] of refusals) {
    const { json } = await send('POST', '/v1/sandboxes', body)
    expect([body, json]).toEqual([body, expect.objectContaining({ code: 'INVALID_REQUEST', field })])
  }
  const secret = 'a-secret-that-nobody-reads'
  const { text } = await send('POST', '/v1/sandboxes/a/execute', {
    command: 'true',
    secretEnv: { 'a b': secret },
  })
  expect(text).toContain('INVALID_CONFIG')
  expect(text).not.toContain(secret)
})

test('a function says who bears a token', async () => {
  const service = await startService({
    tokens: async (given) => (given === token ? { name: 'someone', scopes: ['read'] } : undefined),
  })
  expect((await clientOf(service)('GET', '/v1/self')).json).toMatchObject({
    name: 'someone',
    scopes: ['read'],
  })
  expect((await clientOf(service, 'another-token-of-nobody')('GET', '/v1/self')).status).toBe(401)
})

test('keys of two tenants with one name are two', async () => {
  const service = await startService({
    tokens: (tenant) => ({ name: 'agents', labels: { tenant } }),
  })
  const open = (tenant: string) =>
    clientOf(service, tenant)('POST', '/v1/sandboxes', {}, { 'idempotency-key': 'k' })
  const { json: first } = await open('tenant-one')
  expect((await open('tenant-one')).json).toEqual(first)
  const { json: other } = await open('tenant-two')
  expect([other['labels'], other['id'] === first['id']]).toEqual([{ tenant: 'tenant-two' }, false])
})

test('a function that answers with no grant is not the fault of the client', async () => {
  const log: string[] = []
  const service = await startService({
    tokens: () => ({ name: 'a#b' }),
    log: (line) => log.push(line),
  })
  expect((await clientOf(service)('GET', '/v1/self')).json).toMatchObject({ code: 'INTERNAL', status: 500 })
  expect(log.join()).toContain('The function tokens has answered with no grant')
  expect(log.join()).not.toContain(token)
})

test.each([
  [[], 'tokens'],
  [[{ token: 'short', name: 'a' }], 'token'],
  [[{ token, name: 'a#b' }], 'tokens[0].name'],
  [[{ token, name: 'a', scopes: ['all'] }], 'tokens[0].scopes'],
  [[{ token, name: 'a', labels: { tenant: 7 } }], 'tokens[0].labels'],
  [[{ token, name: 'a', requestsPerMinute: 0 }], 'tokens[0].requestsPerMinute'],
  [
    [
      { token, name: 'a' },
      { token: `${token}-2`, name: 'a' },
    ],
    'tokens',
  ],
])('tokens %j are refused with the field %s, and without the token', async (tokens, field) => {
  const given: object = { tokens }
  const failure = await startService(given).catch((error: unknown) => error)
  expect(failure).toMatchObject({ code: 'INVALID_CONFIG', field })
  expect(String(failure)).not.toContain(token)
})
