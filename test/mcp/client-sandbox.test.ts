import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type SandboxConfig, ShellHost } from '../../src/index.ts'
import { type McpClientSession, type McpHttpServer, serveHttp } from '../../src/mcp/index.ts'
import { within } from '../faults/helpers.ts'
import { bearer, call, connectOverHttp, directoryOf, serve, sharedHost, textOf, until } from './helpers.ts'

const token = { alice: 'a-token-of-alice', bob: 'a-token-of-bobby', eve: 'a-token-of-eve-xx' } as const
const secrets = Object.values(token)

describe('the sandbox of each client', () => {
  const host = new ShellHost({ isolation: 'shared' })
  const asked: McpClientSession[] = []
  const lines: string[] = []
  let server: McpHttpServer
  let answerForEve: () => unknown

  beforeAll(async () => {
    const configs: Readonly<Record<string, SandboxConfig>> = {
      alice: { env: { WHO: 'Alice' }, timeout: 9 },
      bob: { shell: 'bash', env: { WHO: 'Bob' } },
    }
    server = await serveHttp({
      host,
      token,
      log: (line) => lines.push(line),
      maxSessions: 4,
      sandbox: async (session) => {
        asked.push(session)
        const config = configs[session.client ?? ''] ?? answerForEve()
        return config as SandboxConfig
      },
    })
  })
  afterAll(async () => {
    await server.close()
    await host.close()
  })
  beforeEach(() => {
    asked.length = 0
    lines.length = 0
  })

  test('follows from who the client is', async () => {
    const [alice, bob] = [
      await connectOverHttp(server.url, token.alice),
      await connectOverHttp(server.url, token.bob),
    ]
    expect(textOf(await call(alice.client, 'shell', { command: 'echo $WHO' }))).toBe('Alice')
    expect(textOf(await call(bob.client, 'shell', { command: 'list=($WHO x); echo "$list"' }))).toBe('Bob')
    const { tools } = await bob.client.listTools()
    expect(tools[0]?.description).toContain('Runs a command in bash')
    expect(asked.map(({ id, client, name }) => ({ id, client, name }))).toEqual([
      { id: alice.transport.sessionId, client: 'alice', name: 'alice' },
      { id: bob.transport.sessionId, client: 'bob', name: 'bob' },
    ])
    expect(lines).toEqual([
      'A session began (alice): 1 of 4 in use.',
      'A session began (bob): 2 of 4 in use.',
    ])
    expect(secrets.filter((secret) => JSON.stringify([asked, lines]).includes(secret))).toEqual([])
    for (const { transport } of [alice, bob]) await transport.terminateSession()
    await until(() => server.sessions === 0)
  })

  test.each<[string, () => unknown, string, RegExp]>([
    [
      'a throw',
      () => {
        throw new Error('no row for /srv/eve\nat stack')
      },
      'the server could not make one',
      /^No sandbox for eve: no row for \/srv\/eve$/,
    ],
    ['a rejection', () => Promise.reject(new Error('down')), 'the server could not make one', /: down$/],
    [
      'a config that is not valid',
      () => ({ timeout: -1 }),
      'config of it is not valid (timeout)',
      /eve: .*timeout must be/,
    ],
    ['a field that there is not', () => ({ binz: [] }), 'is not valid (binz)', /eve: .*binz/],
    [
      'nothing',
      () => undefined,
      'the server could not make one',
      /must give a config, but gave undefined\.$/,
    ],
  ])(
    'after %s is told as an error of the protocol, and nothing else is touched',
    async (_, answer, told, logged) => {
      answerForEve = answer
      const { client } = await connectOverHttp(server.url, token.alice)
      const failure = await connectOverHttp(server.url, token.eve).catch((error: unknown) => error)
      expect(failure).toMatchObject({ code: -32_603, message: expect.stringContaining(told) })
      expect(String(failure)).not.toMatch(/srv|stack|must/)
      expect(lines.at(-1)).toMatch(logged)
      expect([server.sessions, server.sandboxes.map(({ name }) => name)]).toEqual([1, ['alice']])
      expect(textOf(await call(client, 'shell', { command: 'echo well' }))).toBe('well')
      await client.close()
      await endSessions()
    },
  )

  test('is not waited for when the server closes, and counts as a session meanwhile', async () => {
    const signals: AbortSignal[] = []
    const own = await serve({
      host,
      token,
      maxSessions: 1,
      sandbox: ({ signal }) => {
        signals.push(signal)
        return new Promise(() => undefined)
      },
    })
    const waiting = connectOverHttp(own.url, token.alice).catch((error: unknown) => error)
    await until(() => signals.length === 1)
    await expect(connectOverHttp(own.url, token.bob)).rejects.toThrow('All 1 sessions')
    await within(60, own.close())
    expect(String(await within(60, waiting))).toContain('The server is about to stop.')
    expect([own.sessions, signals.map(({ aborted }) => aborted)]).toEqual([0, [true]])
  })

  async function endSessions(): Promise<void> {
    const response = await fetch(server.url, {
      method: 'DELETE',
      headers: {
        ...bearer(token.alice),
        'mcp-session-id': asked.find(({ client }) => client === 'alice')?.id ?? '',
      },
    })
    expect(response.status).toBe(200)
    await until(() => server.sessions === 0)
  }
})

test('a session of one name answers no other, and a client that comes again has its name', async () => {
  const server = await serve({ token })
  const { client, transport } = await connectOverHttp(server.url, token.alice)
  const again = await connectOverHttp(server.url, token.alice)
  expect(server.sandboxes.map(({ name, client: who }) => [name, who])).toEqual([
    ['alice', 'alice'],
    ['alice#2', 'alice'],
  ])
  const id = transport.sessionId ?? ''
  const stranger = { method: 'DELETE', headers: { ...bearer(token.bob), 'mcp-session-id': id } }
  expect((await fetch(server.url, stranger)).status).toBe(404)
  await transport.terminateSession()
  await client.close()
  await until(() => server.sandbox('alice') === undefined)
  await connectOverHttp(server.url, token.alice)
  expect(server.sandboxes.map(({ name }) => name)).toEqual(['alice#2', 'alice'])
  await again.client.close()
})

test('who runs the server reads the changes of a client by its name, and applies them', async () => {
  const source = await directoryOf({ old: 'text' })
  const server = await serve({
    token,
    sandbox: ({ client }) => ({ binds: [{ source, destination: `/${client}`, mode: 'copy' }] }),
  })
  const { client } = await connectOverHttp(server.url, token.alice)
  await call(client, 'shell', { command: 'cd /alice; echo good > wanted; echo odd > unwanted' })
  const sandbox = server.sandbox('alice')
  expect(sandbox?.summary.binds[0]?.destination).toBe('/alice')
  const { changes } = (await sandbox?.changes()) ?? { changes: [] }
  expect(changes.map(({ path, change }) => [path, change])).toEqual([
    ['/alice/unwanted', 'added'],
    ['/alice/wanted', 'added'],
  ])
  const report = await sandbox?.applyChanges({ bind: '/alice', paths: ['/alice/wanted'] })
  expect(report).toEqual({ written: ['/alice/wanted'], removed: [], conflicts: [] })
  expect(server.sandbox('bob')).toBeUndefined()
  await client.close()
  await server.close()
  await expect(sandbox?.changes()).rejects.toMatchObject({ code: 'CLOSED' })
})

test('a sandbox is not closed for idleness while who runs the server uses it, and then it is', async () => {
  const host = sharedHost()
  const server = await serve({ host, idleTimeout: 0.2 })
  const { client } = await connectOverHttp(server.url)
  const sandbox = server.sandbox('session-1')
  await sandbox?.use(async (one) => {
    await call(client, 'shell', { command: 'true' })
    await new Promise((resolve) => setTimeout(resolve, 500))
    expect(one.status).toBe('open')
  })
  await until(() => host.list().length === 0)
  await expect(sandbox?.changes()).rejects.toMatchObject({ code: 'CLOSED' })
  expect(textOf(await call(client, 'shell', { command: 'echo fresh' }))).toMatch(/^Note: .*fresh$/s)
  expect((await sandbox?.changes())?.changes).toEqual([])
})
