import { Readable, Writable } from 'node:stream'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { expect, onTestFinished, test } from 'vitest'
import { directoryStore, ShellHost, type SnapshotStore } from '../../src/index.ts'
import { type ServeHttpOptions, serveHttp, serveStdio } from '../../src/mcp/index.ts'
import { cli } from '../cli/run-cli.ts'
import { runHere } from '../cli/run-here.ts'
import { call, connect, connectOverHttp, directoryOf, serve, textOf, until } from './helpers.ts'

const [first, second] = ['a-token-of-the-first-client', 'a-token-of-the-second-one'] as const
const bash = { shell: 'bash' } as const

/** A client of a server process, and how it is ended. */
async function started(path: string) {
  const [command, ...args] = cli
  const options = ['--sessions', path, '--session', 'agent', '--isolation', 'shared']
  const transport = new StdioClientTransport({
    command,
    args: [...args, 'mcp', ...options],
    stderr: 'ignore',
  })
  const client = await connect(transport)
  const end = async (signal: NodeJS.Signals) => {
    const closed = new Promise<void>((resolve) => {
      client.onclose = resolve
    })
    process.kill(transport.pid ?? 0, signal)
    await closed
  }
  return { client, end }
}

/** A server over HTTP in this process, on a host of its own. */
async function served(store: SnapshotStore, options: ServeHttpOptions) {
  const host = new ShellHost({ isolation: 'shared', hibernate: { store } })
  onTestFinished(() => host.close())
  const server = await serve({ host, sandbox: bash, keepSessions: true, ...options })
  const close = async () => {
    await server.close()
    await host.close()
  }
  return { url: server.url, close }
}

/** What a session of a client prints that ends then. */
async function shell(url: string, token: string, command: string): Promise<string> {
  const { client, transport } = await connectOverHttp(url, token)
  const text = textOf(await call(client, 'shell', { command }))
  await transport.terminateSession()
  return text
}

test('the sandbox of stdio survives a server that SIGTERM or SIGKILL ends', async () => {
  const path = await directoryOf({})
  const before = await started(path)
  await call(before.client, 'write_file', { path: '/tmp/note', content: 'of the first server' })
  await call(before.client, 'shell', { command: 'cd /tmp; x=kept' })
  await before.end('SIGTERM')

  const between = await started(path)
  expect(textOf(await call(between.client, 'shell', { command: 'cat note; echo " $x"' }))).toBe(
    'of the first server kept',
  )
  await call(between.client, 'write_file', { path: '/tmp/note', content: 'of the second server' })
  const stored = async () => (await directoryStore(path).get('agent'))?.toBytes()
  await until(async () => Buffer.from((await stored()) ?? []).includes('of the second server'))
  await between.end('SIGKILL')

  const after = await started(path)
  expect(textOf(await call(after.client, 'read_file', { path: '/tmp/note' }))).toContain(
    'of the second server',
  )
})

test('over HTTP a client finds its sandbox after a restart, and never that of another token', async () => {
  const store = directoryStore(await directoryOf({}))
  const before = await served(store, { token: [first, second] })
  await shell(before.url, first, 'echo of the first > /tmp/note')
  expect(await shell(before.url, second, 'cat /tmp/note; echo of the second > /tmp/note')).toContain(
    'No such file',
  )
  expect(await shell(before.url, first, 'cat /tmp/note')).toBe('of the first')
  await before.close()

  const after = await served(store, { token: [second, first] })
  expect(await shell(after.url, first, 'cat /tmp/note')).toBe('of the first')
  expect(await shell(after.url, second, 'cat /tmp/note')).toBe('of the second')
  for (const { id } of await store.list())
    for (const token of [first, second]) expect(id).not.toContain(token)
})

test('over HTTP what is stored belongs to the name of a client, also with another token', async () => {
  const store = directoryStore(await directoryOf({}))
  const long = 'ü'.repeat(128)
  const before = await served(store, { token: { alice: first, [long]: second } })
  const { client } = await connectOverHttp(before.url, first)
  await call(client, 'shell', { command: 'echo of alice > /tmp/note' })
  await shell(before.url, second, 'true')
  await before.close()
  const after = await served(store, { token: { bob: first, alice: second } })
  expect(await shell(after.url, second, 'cat /tmp/note')).toBe('of alice')
  expect(await shell(after.url, first, 'cat /tmp/note')).toContain('No such file')
})

test('sessions of one client at once have a sandbox each, and the lowest that is free comes first', async () => {
  const store = directoryStore(await directoryOf({}))
  const { url } = await served(store, { token: { alice: first } })
  const one = await connectOverHttp(url, first)
  const two = await connectOverHttp(url, first)
  await call(one.client, 'shell', { command: 'echo one > /tmp/note' })
  expect(textOf(await call(two.client, 'shell', { command: 'cat /tmp/note' }))).toContain('No such file')
  await two.transport.terminateSession()
  await one.transport.terminateSession()
  expect(await shell(url, first, 'cat /tmp/note')).toBe('one')
  expect((await store.list()).map(({ id }) => id).sort()).toEqual(['client:alice', 'client:alice#2'])
})

test('a sandbox that nobody uses is stored, and its session goes on with it', async () => {
  const store = directoryStore(await directoryOf({}))
  const host = new ShellHost({ isolation: 'shared', hibernate: { store } })
  onTestFinished(() => host.close())
  const server = await serve({ host, sandbox: bash, keepSessions: true, token: first, idleTimeout: 0.2 })
  const { client } = await connectOverHttp(server.url, first)
  await call(client, 'shell', { command: 'x=kept' })
  await until(() => host.list()[0]?.hibernated === true)
  expect(textOf(await call(client, 'shell', { command: 'echo $x' }))).toBe('kept')
})

test('what cannot be kept is refused as the server starts', async () => {
  const host = new ShellHost({ hibernate: { store: directoryStore(await directoryOf({})) } })
  onTestFinished(() => host.close())
  const streams = { stdin: new Readable(), stdout: new Writable() }
  const keepSessions = true
  await expect(serveHttp({ keepSessions, token: first })).rejects.toMatchObject({ field: 'keepSessions' })
  await expect(serveHttp({ keepSessions, host })).rejects.toThrow(/^keepSessions needs token or authenticate/)
  await expect(serveStdio({ session: 'a', ...streams })).rejects.toMatchObject({ field: 'session' })
  await expect(serveStdio({ session: '', host, ...streams })).rejects.toMatchObject({ field: 'session' })
})

test.each([
  [['--http', '0', '--sessions'], /--sessions needs token or authenticate/],
  [['--http', '0', '--session', 'a', '--sessions'], /--session is of standard input and output/],
])('mcp %j is refused', async (options, message) => {
  const end = await runHere(['mcp', ...options, await directoryOf({})])
  expect({ code: end.code, stderr: end.stderr }).toEqual({ code: 2, stderr: expect.stringMatching(message) })
})
