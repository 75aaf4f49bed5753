import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { clientOf, startService } from '../service/helpers.ts'
import { byTier, cases } from '../support/tier.ts'

const document: { readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>> } = JSON.parse(
  readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8'),
)
/** Streams that do not end are left out. */
const routes = Object.entries(document.paths)
  .filter(([path]) => !path.endsWith('/events'))
  .flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => ({ method: method.toUpperCase(), path })),
  )

const fields = [
  ...[
    'command',
    'code',
    'language',
    'timeout',
    'cwd',
    'env',
    'secretEnv',
    'stdin',
    'template',
    'labels',
    'id',
  ],
  ...['path', 'from', 'to', 'bind', 'paths', '__proto__', 'constructor'],
]
const value = fc.oneof(
  fc.constantFrom<unknown>(
    'true',
    '/tmp/x',
    '',
    '..',
    'a\0b',
    '\ud800',
    0.01,
    -1,
    null,
    [],
    {},
    { base64: '!' },
  ),
  fc.jsonValue(),
)
const object = fc.dictionary(fc.constantFrom(...fields), value, { maxKeys: 5 })
const body = fc.oneof(
  object.map((one) => JSON.stringify(one)),
  fc.jsonValue().map((one) => JSON.stringify(one)),
  fc.string(),
  fc.uint8Array({ maxLength: 600 }),
)
const names = ['path', 'recursive', 'append', 'limit', 'after', 'since', 'kinds', 'odd']
const query = fc.dictionary(
  fc.constantFrom(...names),
  fc.oneof(fc.string(), fc.constantFrom('/tmp', 'true', '1', '-1', '..', '%00')),
  { maxKeys: 3 },
)
const headers = fc.dictionary(
  fc.constantFrom('idempotency-key', 'last-event-id', 'strands-instance', 'accept', 'content-type'),
  fc.constantFrom('1', '-1', 'k', 'application/json', 'text/event-stream', 'text/plain', 'x'.repeat(200)),
  { maxKeys: 3 },
)
const part = fc.oneof(
  fc.constant('a'),
  fc.string({ maxLength: 12 }),
  fc.constantFrom('..', '%2e%2e', '%', 'ü'),
)

test('whatever a route is sent, it answers with a result or a problem, and the service goes on', async () => {
  const log: string[] = []
  const service = await startService({ log: (line) => log.push(line) })
  const send = clientOf(service)
  await send('PUT', '/v1/sandboxes/a', {})
  const request = fc.record({ route: fc.constantFrom(...routes), id: part, body, query, headers })
  await fc.assert(
    fc.asyncProperty(request, async ({ route: { method, path }, id, body: given, query: asked, ...rest }) => {
      const name = encodeURIComponent(id.toWellFormed())
      const where = path.replaceAll(/\{[a-z]+\}/g, name === '' ? 'a' : name)
      const response = await fetch(`${service.url}${where}?${new URLSearchParams(asked)}`, {
        method,
        headers: {
          authorization: 'Bearer a-token-of-these-tests',
          'content-type': 'application/json',
          ...rest.headers,
        },
        ...(method === 'GET' ? {} : { body: typeof given === 'string' ? given.toWellFormed() : given }),
      })
      const text = await response.text()
      if (response.status < 400) return
      expect(response.headers.get('content-type')).toBe('application/problem+json')
      expect(JSON.parse(text)).toMatchObject({
        status: response.status,
        code: expect.not.stringMatching('INTERNAL'),
      })
    }),
    { numRuns: cases(byTier({ default: 250, full: 600 })) },
  )
  expect(log).toEqual([])
  await send('PUT', '/v1/sandboxes/a', {})
  expect((await send('POST', '/v1/sandboxes/a/execute', { command: 'echo on' })).json).toMatchObject({
    stdout: 'on\n',
  })
}, 300_000)
