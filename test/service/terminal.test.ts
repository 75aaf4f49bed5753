import { expect, onTestFinished, test } from 'vitest'
import WebSocket from 'ws'
import type { Service } from '../../src/service/index.ts'
import { until } from '../mcp/helpers.ts'
import { clientOf, startService, token } from './helpers.ts'

type Message = Readonly<Record<string, unknown>> & { readonly type: string }

/** A terminal as a page opens it, and what it was sent. */
function openTerminal({ url }: Service, path: string, bearer = token) {
  const protocols = ['strands-shell.terminal.v1', `bearer.${Buffer.from(bearer).toString('base64url')}`]
  const socket = new WebSocket(url.replace('http', 'ws') + path, protocols)
  onTestFinished(() => socket.terminate())
  const messages: Message[] = []
  socket.on('message', (data) => messages.push(JSON.parse(String(data))))
  const refused = new Promise<number | undefined>((resolve) => {
    socket.on('unexpected-response', (_, response) => resolve(response.statusCode))
    socket.on('open', () => resolve(undefined))
  })
  socket.on('error', () => undefined)
  return { socket, messages, refused }
}

/** The id of the execution that a message is about. */
function executionOf(message: Message | undefined): unknown {
  const execution = message?.['execution']
  return typeof execution === 'object' && execution !== null && 'id' in execution ? execution.id : ''
}

test('a terminal shows what others run as it is written, and runs commands in the session', async () => {
  const service = await startService()
  const send = clientOf(service)
  await send('PUT', '/v1/sandboxes/a', {})
  const { socket, messages } = openTerminal(service, '/v1/sandboxes/a/terminal')
  const seen = (type: string) => messages.filter((message) => message.type === type)
  await until(() => seen('ready').length === 1)
  expect(messages).toEqual([{ type: 'ready', sandbox: 'a', mayRun: true }])
  expect(socket.protocol).toBe('strands-shell.terminal.v1')
  await send('POST', '/v1/sandboxes/a/execute', { command: 'cd /tmp; echo from another' })
  await until(() => seen('ended').length === 1)
  expect(seen('output')).toMatchObject([{ streamType: 'stdout', data: 'from another\n' }])
  socket.send(JSON.stringify({ type: 'run', command: 'pwd' }))
  await until(() => seen('ended').length === 2)
  expect(seen('output').at(-1)).toMatchObject({ data: '/tmp\n' })
  expect(seen('ended').at(-1)).toMatchObject({ execution: { command: 'pwd', exitCode: 0, by: 'tester' } })
  socket.send(JSON.stringify({ type: 'run', command: 'while :; do sleep 0.05; done' }))
  await until(() => seen('started').length === 3)
  const started = seen('started').at(-1)
  expect(started).toMatchObject({ execution: { state: 'running' } })
  socket.send(JSON.stringify({ type: 'stop', execution: executionOf(started) }))
  await until(() => seen('ended').length === 3)
  expect(seen('ended').at(-1)).toMatchObject({ execution: { problem: 'ABORTED' } })
})

test('a terminal refuses what is no message, and one that looks on runs nothing', async () => {
  const guest = { token: 'the-token-of-who-looks-on', name: 'guest', scopes: ['read' as const] }
  const service = await startService({ tokens: [{ token, name: 'tester' }, guest] })
  await clientOf(service)('PUT', '/v1/sandboxes/a', {})
  const { socket, messages } = openTerminal(service, '/v1/sandboxes/a/terminal', guest.token)
  await until(() => messages.length === 1)
  expect(messages).toEqual([{ type: 'ready', sandbox: 'a', mayRun: false }])
  socket.send(JSON.stringify({ type: 'run', command: 'echo x > /tmp/ran' }))
  socket.send('{"type":')
  socket.send(JSON.stringify({ type: 'run', command: 7 }))
  await until(() => messages.length === 4)
  expect(messages.slice(1).map((message) => message['problem'])).toMatchObject([
    { code: 'FORBIDDEN' },
    { code: 'INVALID_REQUEST' },
    { code: 'INVALID_REQUEST' },
  ])
  const stat = await clientOf(service)('GET', '/v1/sandboxes/a/stat?path=/tmp/ran')
  expect(stat.json).toMatchObject({ code: 'PATH_NOT_FOUND' })
})

test('a terminal asks for a token, and for a sandbox of it', async () => {
  const service = await startService()
  await clientOf(service)('PUT', '/v1/sandboxes/a', {})
  const refusalOf = (path: string, bearer?: string) => openTerminal(service, path, bearer).refused
  expect(await refusalOf('/v1/sandboxes/a/terminal', 'a-token-that-nobody-has')).toBe(401)
  expect(await refusalOf('/v1/sandboxes/none/terminal')).toBe(404)
  expect(await refusalOf('/v1/sandboxes/a/execute')).toBe(404)
  expect(await refusalOf('/v1/sandboxes/a/terminal')).toBeUndefined()
})

test('a terminal ends with its sandbox, and shows nothing of a later one with the id', async () => {
  const service = await startService()
  const send = clientOf(service)
  await send('PUT', '/v1/sandboxes/a', {})
  const { socket, messages } = openTerminal(service, '/v1/sandboxes/a/terminal')
  await until(() => messages.length === 1)
  expect((await send('DELETE', '/v1/sandboxes/a')).status).toBe(204)
  await until(() => socket.readyState === socket.CLOSED)
  await send('PUT', '/v1/sandboxes/a', {})
  await send('POST', '/v1/sandboxes/a/execute', { command: 'echo of another' })
  expect(messages.map(({ type }) => type)).toEqual(['ready'])
})

test('a terminal shows no secret of a command', async () => {
  const service = await startService()
  const send = clientOf(service)
  await send('PUT', '/v1/sandboxes/a', {})
  const { messages } = openTerminal(service, '/v1/sandboxes/a/terminal')
  await until(() => messages.length === 1)
  const secret = 'a-secret-of-these-tests'
  await send('POST', '/v1/sandboxes/a/execute', { command: 'echo is $k', secretEnv: { k: secret } })
  await until(() => messages.at(-1)?.type === 'ended')
  expect(messages.find(({ type }) => type === 'output')).toMatchObject({ data: 'is ***\n' })
  expect(JSON.stringify(messages)).not.toContain(secret)
})

test('terminals count as requests of their token for as long as they are open', async () => {
  const service = await startService({ maxPendingRequests: 2 })
  const send = clientOf(service)
  await send('PUT', '/v1/sandboxes/a', {})
  const first = openTerminal(service, '/v1/sandboxes/a/terminal')
  const second = openTerminal(service, '/v1/sandboxes/a/terminal')
  expect([await first.refused, await second.refused]).toEqual([undefined, undefined])
  expect(await openTerminal(service, '/v1/sandboxes/a/terminal').refused).toBe(429)
  first.socket.terminate()
  await until(async () => (await send('GET', '/v1/self')).status === 200)
})

test('commands that wait in terminals count with their bytes, as those of requests do', async () => {
  const service = await startService({ maxBodyBytes: 2 ** 20, maxPendingBytes: 2 ** 20 })
  const send = clientOf(service)
  await send('PUT', '/v1/sandboxes/a', {})
  const { socket, messages } = openTerminal(service, '/v1/sandboxes/a/terminal')
  await until(() => messages.length === 1)
  const run = (command: string) => socket.send(JSON.stringify({ type: 'run', command }))
  const told = (type: string) => messages.filter((message) => message.type === type)
  run('while ! [ -e /tmp/go ]; do sleep 0.05; done')
  const long = `: ${'x'.repeat(600 * 1024)}`
  run(long)
  run(long)
  await until(() => told('problem').length === 1)
  expect(told('problem')[0]?.['problem']).toMatchObject({ code: 'TOO_MANY_REQUESTS', status: 429 })
  const file = '/v1/sandboxes/a/file?path=/tmp/go'
  expect((await send('PUT', file, Buffer.alloc(600 * 1024))).status).toBe(429)
  socket.send(JSON.stringify({ type: 'stop', execution: executionOf(told('started')[0]) }))
  await until(() => told('ended').length === 2)
  run(long)
  await until(() => told('ended').length === 3)
  expect(told('problem').length).toBe(1)
})

test('a terminal that is opened late is sent all output, as fast as it takes it', async () => {
  const service = await startService()
  const send = clientOf(service)
  await send('PUT', '/v1/sandboxes/a', {})
  const early = openTerminal(service, '/v1/sandboxes/a/terminal')
  await until(() => early.messages.length === 1)
  const write = 'i=0; while [ $i -lt 150 ]; do printf "%065536d" 7; i=$((i+1)); done'
  early.socket.send(JSON.stringify({ type: 'run', command: `${write}; while :; do sleep 0.05; done` }))
  const charactersOf = (messages: readonly Message[]) =>
    messages.reduce((sum, { data }) => sum + (typeof data === 'string' ? data.length : 0), 0)
  await until(() => charactersOf(early.messages) === 150 * 65_536)
  const late = openTerminal(service, '/v1/sandboxes/a/terminal')
  await until(() => charactersOf(late.messages) === 150 * 65_536)
  expect(late.socket.readyState).toBe(late.socket.OPEN)
})
