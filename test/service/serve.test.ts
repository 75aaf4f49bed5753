import * as v from 'valibot'
import { expect, test } from 'vitest'
import type { RecordStore } from '../../src/service/index.ts'
import { problemFor } from '../../src/service/service-problem.ts'
import { requirePeer } from '../../src/tools/require-peer.ts'
import { faultyHost, makeHost } from '../faults/helpers.ts'
import { until } from '../mcp/helpers.ts'
import { clientOf, startService, temporaryDirectory, token } from './helpers.ts'

test('a sandbox is opened, runs commands, holds files and is closed', async () => {
  const send = clientOf(await startService())
  const opened = await send('POST', '/v1/sandboxes', { id: 'a b/ü', labels: { team: 'x' } })
  expect([opened.status, opened.json]).toEqual([
    201,
    expect.objectContaining({ id: 'a b/ü', template: 'default', shell: 'bash', labels: { team: 'x' } }),
  ])
  const path = `/v1/sandboxes/${encodeURIComponent('a b/ü')}`
  const ran = await send('POST', `${path}/execute`, { command: 'cd /tmp; echo hello > f; exit 3' })
  expect([ran.status, ran.json]).toEqual([
    200,
    expect.objectContaining({ exitCode: 3, stdout: '', timedOut: false, truncated: false }),
  ])
  expect((await send('GET', `${path}/file?path=f`)).text).toBe('hello\n')
  expect((await send('PUT', `${path}/file?path=f&append=true`, Buffer.from('more'))).status).toBe(204)
  expect((await send('POST', `${path}/execute`, { command: 'cat f' })).json).toMatchObject({
    stdout: 'hello\nmore',
  })
  expect((await send('GET', `${path}/file?path=none`)).json).toMatchObject({
    code: 'PATH_NOT_FOUND',
    status: 404,
    path: 'none',
  })
  expect((await send('GET', '/v1/sandboxes')).json).toMatchObject({
    sandboxes: [{ id: 'a b/ü', lastCommand: { command: 'cat f', exitCode: 0, state: 'ended' } }],
  })
  expect((await send('DELETE', path)).status).toBe(204)
  expect((await send('GET', path)).json).toMatchObject({ code: 'NOT_FOUND' })
})

test('a request without a token reaches nothing but health and the page', async () => {
  const service = await startService()
  const nobody = clientOf(service, '')
  expect((await nobody('GET', '/health')).json).toEqual({ status: 'ok' })
  expect((await nobody('GET', '/health/ready')).json).toEqual({ status: 'ready' })
  for (const path of ['/v1/sandboxes', '/v1/self', '/v1/events', '/v1/stats', '/v1/none', '/none'])
    expect((await nobody('GET', path)).json, path).toMatchObject({ code: 'UNAUTHORIZED' })
  const wrong = await clientOf(service, `${token}x`)('POST', '/v1/sandboxes', {})
  expect([wrong.status, wrong.headers.get('www-authenticate')]).toEqual([
    401,
    'Bearer realm="strands-shell-runtime", error="invalid_token"',
  ])
  expect(service.host.list()).toEqual([])
})

test('a command with a key runs once, and its stream goes on behind the last event', async () => {
  const send = clientOf(await startService())
  await send('PUT', '/v1/sandboxes/a', {})
  const run = (last?: string, command = 'echo one >> f; cat f; echo two >&2') =>
    send(
      'POST',
      '/v1/sandboxes/a/execute',
      { command },
      {
        'idempotency-key': 'k',
        accept: 'text/event-stream',
        ...(last === undefined ? {} : { 'last-event-id': last }),
      },
    )
  const first = await run()
  expect(first.text).toContain('id: 1\nevent: output\ndata: {"type":"streamChunk"')
  expect((await run()).text).toBe(first.text)
  const events = first.text.split(/(?<=\n\n)/)
  expect((await run('1')).text).toBe(events.slice(1).join(''))
  expect(events.at(-1)).toContain('event: result')
  expect((await run(undefined, 'other')).json).toMatchObject({ code: 'KEY_REUSED' })
  expect((await send('POST', '/v1/sandboxes/a/execute', { command: 'cat f' })).json).toMatchObject({
    stdout: 'one\n',
  })
})

test('a token with labels sees its own sandboxes alone, and one with the scope read changes nothing', async () => {
  const tokens = [
    { token, name: 'all' },
    { token: 'the-token-of-the-first-tenant', name: 'first', labels: { tenant: 'first' } },
    { token: 'the-token-of-who-looks-on', name: 'guest', scopes: ['read' as const] },
  ]
  const service = await startService({ tokens })
  const all = clientOf(service)
  const first = clientOf(service, tokens[1]?.token)
  const guest = clientOf(service, tokens[2]?.token)
  await all('PUT', '/v1/sandboxes/other', {})
  const own = await first('POST', '/v1/sandboxes', { id: 'own', labels: { tenant: 'second' } })
  expect(own.json['labels']).toEqual({ tenant: 'first' })
  expect((await first('GET', '/v1/sandboxes')).json['sandboxes']).toMatchObject([{ id: 'own' }])
  expect((await first('POST', '/v1/sandboxes/other/execute', { command: 'true' })).status).toBe(404)
  expect((await guest('GET', '/v1/sandboxes')).json['sandboxes']).toHaveLength(2)
  expect((await guest('POST', '/v1/sandboxes/own/execute', { command: 'true' })).json).toMatchObject({
    code: 'FORBIDDEN',
  })
})

test('HEAD is answered as GET without a body, and a path that is no text leads nowhere', async () => {
  const service = await startService()
  const send = clientOf(service)
  const head = await fetch(`${service.url}/health`, { method: 'HEAD' })
  expect([head.status, await head.text()]).toEqual([200, ''])
  for (const path of ['/v1/sandboxes/%ff', '/v1/sandboxes/a/', '/v1//sandboxes', '/health?x/y', '//health'])
    expect([path, (await send('GET', path)).status]).toEqual([path, path.startsWith('/health') ? 200 : 404])
  const wrong = await send('POST', '/v1/self')
  expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'GET'])
})

test('requests that open or close a sandbox at once share it', async () => {
  const send = clientOf(await startService())
  const times = [1, 2, 3, 4]
  const opened = await Promise.all(times.map(() => send('PUT', '/v1/sandboxes/a', {})))
  expect(opened.map(({ status }) => status).sort()).toEqual([200, 200, 200, 201])
  expect((await send('POST', '/v1/sandboxes/a/execute', { command: 'echo on' })).json).toMatchObject({
    stdout: 'on\n',
  })
  const closed = await Promise.all(times.map(() => send('DELETE', '/v1/sandboxes/a')))
  for (const { status } of closed) expect([204, 404]).toContain(status)
})

test('a command with a Last-Event-ID that is none does not run', async () => {
  const send = clientOf(await startService())
  await send('PUT', '/v1/sandboxes/a', {})
  const headers = { accept: 'text/event-stream', 'last-event-id': 'none' }
  const refused = await send('POST', '/v1/sandboxes/a/execute', { command: 'echo x' }, headers)
  expect(refused.json).toMatchObject({ code: 'INVALID_REQUEST', field: 'Last-Event-ID' })
  expect((await send('GET', '/v1/sandboxes/a/executions')).json).toEqual({ executions: [] })
})

test('a call that found no place may be sent again with its key', async () => {
  const host = faultyHost({ maxSandboxes: 1, maxQueued: 0 })
  const send = clientOf(await startService({ host, templates: { default: { shell: 'strands' } } }))
  const key = { 'idempotency-key': 'k' }
  const run = () => send('POST', '/v1/sandboxes/a/execute', { command: 'echo on' }, key)
  const open = () => send('POST', '/v1/sandboxes', { id: 'c' }, key)
  await send('PUT', '/v1/sandboxes/a', {})
  const lost = await send('POST', '/v1/sandboxes/a/execute', { command: 'fault exit' })
  expect(lost.json).toMatchObject({ code: 'WORKER_LOST' })
  await send('PUT', '/v1/sandboxes/b', {})
  for (const { json } of [await run(), await open()]) expect(json).toMatchObject({ code: 'HOST_SATURATED' })
  await send('DELETE', '/v1/sandboxes/b')
  expect((await run()).json).toMatchObject({ stdout: 'on\n' })
  await send('DELETE', '/v1/sandboxes/a')
  expect((await open()).status).toBe(201)
})

test('a stop that overtakes its call stops it, and one of a call that has ended finds nothing', async () => {
  const send = clientOf(await startService())
  await send('PUT', '/v1/sandboxes/a', {})
  const stop = () => send('DELETE', '/v1/sandboxes/a/executions/k')
  const run = (key: string) =>
    send('POST', '/v1/sandboxes/a/execute', { command: 'echo x >> f' }, { 'idempotency-key': key })
  expect((await stop()).status).toBe(202)
  expect((await run('k')).json).toMatchObject({ code: 'ABORTED' })
  expect((await run('k')).json).toMatchObject({ code: 'ABORTED' })
  expect((await stop()).json).toMatchObject({ code: 'NOT_FOUND' })
  expect((await run('other')).status).toBe(200)
  expect((await send('GET', '/v1/sandboxes/a/file?path=f')).text).toBe('x\n')
})

test('a sandbox in a process of its own is listed with the memory of that process, and others without', async () => {
  const host = makeHost({ isolation: 'process', maxSandboxes: 2 })
  const send = clientOf(await startService({ host }))
  const memoryOfA = async () => (await send('GET', '/v1/sandboxes/a')).json['memory']
  await send('PUT', '/v1/sandboxes/a', {})
  await until(async () => (await memoryOfA()) !== undefined)
  const { bytes } = v.parse(v.object({ bytes: v.number(), sandboxes: v.literal(1) }), await memoryOfA())
  expect(bytes).toBeGreaterThan(2 ** 20)
  expect(host.get('a')?.memory).toMatchObject({ sandboxes: 1 })
  await host.get('a')?.close()
  expect(await memoryOfA()).toBeUndefined()

  const other = clientOf(await startService())
  await other('PUT', '/v1/sandboxes/a', {})
  await other('POST', '/v1/sandboxes/a/execute', { command: 'true' })
  expect((await other('GET', '/v1/sandboxes/a')).json['memory']).toBeUndefined()
})

test('a sandbox whose template is gone says so, and can be closed', async () => {
  const record = { id: 'a', template: 'old', labels: {}, createdAt: 0 }
  const log: string[] = []
  const records: RecordStore = {
    put: async () => undefined,
    delete: async () => undefined,
    get: async () => undefined,
    list: async () => [record],
  }
  const send = clientOf(await startService({ records, log: (line) => log.push(line) }))
  expect(log).toEqual([expect.stringContaining('the template "old"')])
  expect((await send('POST', '/v1/sandboxes/a/execute', { command: 'true' })).json).toMatchObject({
    code: 'TEMPLATE_GONE',
    template: 'old',
  })
  expect((await send('DELETE', '/v1/sandboxes/a')).status).toBe(204)
})

test.each([-1, Number.NaN, 86_401, '10'])(
  'a grace of %s is refused, and the service goes on',
  async (grace) => {
    const service = await startService()
    const options: object = { grace }
    await expect(service.close(options)).rejects.toMatchObject({ code: 'INVALID_CONFIG', field: 'grace' })
    expect((await clientOf(service)('GET', '/v1/self')).status).toBe(200)
  },
)

test('a package that is missing is told', async () => {
  const missing = await requirePeer('hono', () =>
    Promise.reject(Object.assign(new Error("Cannot find package 'hono'"), { code: 'ERR_MODULE_NOT_FOUND' })),
  ).catch((error: unknown) => error)
  expect(problemFor(missing)?.problem).toMatchObject({ code: 'NOT_INSTALLED', status: 501 })
})

test('ids are those of a tenant: one tells nothing of others, and who sees several has them apart', async () => {
  const tokens = [
    { token, name: 'all' },
    { token: 'the-token-of-the-first-tenant', name: 'first', labels: { tenant: 'first' } },
    { token: 'the-token-of-the-second-tenant', name: 'second', labels: { tenant: 'second' } },
  ]
  const data = await temporaryDirectory()
  const service = await startService({ tokens, data })
  const all = clientOf(service)
  const first = clientOf(service, tokens[1]?.token)
  const second = clientOf(service, tokens[2]?.token)
  expect((await first('POST', '/v1/sandboxes', { id: 'work' })).json).toMatchObject({ id: 'work' })
  expect((await second('GET', '/v1/sandboxes/work')).status).toBe(404)
  expect((await second('PUT', '/v1/sandboxes/work', {})).status).toBe(201)
  expect((await first('POST', '/v1/sandboxes', { id: 'work' })).status).toBe(409)
  expect((await all('POST', '/v1/sandboxes', { id: 'work' })).status).toBe(201)
  await first('POST', '/v1/sandboxes/work/execute', { command: 'echo first > /tmp/whose' })
  await second('POST', '/v1/sandboxes/work/execute', { command: 'echo second > /tmp/whose' })
  expect((await first('GET', '/v1/sandboxes/work/file?path=/tmp/whose')).text).toBe('first\n')
  expect((await first('GET', '/v1/sandboxes/work/executions')).json['executions']).toMatchObject([
    { sandbox: 'work' },
  ])
  expect((await first('GET', '/v1/sandboxes')).json['sandboxes']).toMatchObject([{ id: 'work' }])

  const listed = (await all('GET', '/v1/sandboxes')).json['sandboxes']
  const keys = v.parse(v.array(v.object({ id: v.string() })), listed).map(({ id }) => id)
  expect(new Set(keys).size).toBe(3)
  const files = keys.map(async (key) => (await all('GET', `/v1/sandboxes/${key}/file?path=/tmp/whose`)).text)
  expect(await Promise.all(files)).toEqual(expect.arrayContaining(['first\n', 'second\n']))
  const key = keys.find((one) => one !== 'work') ?? ''
  expect((await all('POST', '/v1/sandboxes', { id: `${key}s` })).json).toMatchObject({ field: 'id' })

  await service.close({ grace: 5 })
  const later = await startService({ tokens, data })
  const again = clientOf(later, tokens[1]?.token)
  expect((await again('GET', '/v1/sandboxes/work/file?path=/tmp/whose')).text).toBe('first\n')
  expect((await again('DELETE', '/v1/sandboxes/work')).status).toBe(204)
  expect((await clientOf(later, tokens[2]?.token)('GET', '/v1/sandboxes/work')).status).toBe(200)
})
