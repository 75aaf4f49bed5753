import { expect, test } from 'vitest'
import { makeHost } from '../faults/helpers.ts'
import { call, connectOverHttp, serve, textOf, until } from './helpers.ts'

const token = { alice: 'a-token-of-alice', bob: 'a-token-of-bobby' } as const

test('one client cannot take all sessions, and has another when one of its own ends', async () => {
  const server = await serve({ token, maxSessions: 4, maxSessionsPerClient: 2 })
  const [first] = [
    await connectOverHttp(server.url, token.alice),
    await connectOverHttp(server.url, token.alice),
  ]
  await expect(connectOverHttp(server.url, token.alice)).rejects.toThrow(
    'All 2 sessions of this client are in use.',
  )
  const bob = await connectOverHttp(server.url, token.bob)
  expect(textOf(await call(bob.client, 'shell', { command: 'echo well' }))).toBe('well')
  await first.transport.terminateSession()
  await until(() => server.sessions === 2)
  await connectOverHttp(server.url, token.alice)
})

test('a quota by the label of a client bounds its sandboxes, and no other client', async () => {
  const host = makeHost({
    isolation: 'shared',
    maxSandboxes: 3,
    openTimeout: 2,
    quotas: { label: 'client', maxSandboxes: 2 },
  })
  const server = await serve({ host, token, sandbox: ({ client = '' }) => ({ labels: { client } }) })
  const sessions = await Promise.all(
    [token.alice, token.alice, token.alice, token.bob].map((one) => connectOverHttp(server.url, one)),
  )
  const echo = ({ client }: (typeof sessions)[number]) => call(client, 'shell', { command: 'echo well' })
  const [first, second, third, bob] = sessions
  if (first === undefined || second === undefined || third === undefined || bob === undefined) return
  expect([textOf(await echo(first)), textOf(await echo(second))]).toEqual(['well', 'well'])
  const [late, ofBob] = await Promise.all([echo(third), echo(bob)])
  expect(textOf(ofBob)).toBe('well')
  expect([late.isError, textOf(late)]).toEqual([
    true,
    expect.stringContaining('Sandboxes with client "alice" are at most 2 (quotas.maxSandboxes)'),
  ])
  await first.transport.terminateSession()
  await until(() => server.sessions === 3)
  expect(textOf(await echo(third))).toBe('well')
})
