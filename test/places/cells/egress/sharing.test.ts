import { expect, it } from 'vitest'
import type { ShellHost, StrandsShellSandbox } from '../../../../src/index.ts'
import { until } from '../../../faults/helpers.ts'
import { startServer, type TestServer } from '../../../strands-shell/support/http-server.ts'
import { byTier } from '../../../support/tier.ts'
import { cellHost, engineAllows, refusal } from './helpers.ts'

/** Opens a sandbox that may reach `allowed` by its config; its engine would let it reach all of `servers`. */
async function openFor(
  host: ShellHost,
  allowed: readonly TestServer[],
  servers: readonly TestServer[],
): Promise<StrandsShellSandbox> {
  return host.open({
    allowedUrls: allowed.map(({ origin }) => `${origin}/`),
    configFile: await engineAllows(...servers.map(({ origin }) => `${origin}/`)),
  })
}

async function get(sandbox: StrandsShellSandbox, server: TestServer, path: string): Promise<string> {
  return (await sandbox.execute(`curl -s ${server.origin}/${path}`)).stdout
}

it('sandboxes with different allowlists have different cells, each with its own policy', async () => {
  const [a, b] = await Promise.all([startServer(), startServer()])
  const { host, decisions } = cellHost({ maxCells: 2 })
  const [forA, forB] = await Promise.all([openFor(host, [a], [a, b]), openFor(host, [b], [a, b])])
  const outputs = [get(forA, a, 'a'), get(forA, b, 'a'), get(forB, a, 'b'), get(forB, b, 'b')]
  expect(await Promise.all(outputs)).toEqual([
    'hello /a\n',
    refusal('NOT_ALLOWED'),
    refusal('NOT_ALLOWED'),
    'hello /b\n',
  ])
  expect([a.seen.map(({ url }) => url), b.seen.map(({ url }) => url)]).toEqual([['/a'], ['/b']])
  expect(host.stats().cells).toBe(2)
  expect(new Set(decisions.map(({ cell, url }) => `${cell} ${url}`)).size).toBe(4)
})

it('a sandbox waits for a cell rather than share one with another allowlist; the same in another order shares', async () => {
  const [a, b] = await Promise.all([startServer(), startServer()])
  const { host } = cellHost({ maxCells: 1, sandboxesPerCell: 3 })
  const first = await openFor(host, [a, b], [])
  const second = await openFor(host, [b, a, a], [])
  expect([host.stats().cells, await get(first, b, '1'), await get(second, a, '2')]).toEqual([
    1,
    'hello /1\n',
    'hello /2\n',
  ])
  let opened = false
  const third = openFor(host, [a], [b]).then((sandbox) => {
    opened = true
    return sandbox
  })
  await first.close()
  expect([opened, await get(second, b, '3')]).toEqual([false, 'hello /3\n'])
  await second.close()
  expect(await get(await third, b, '4')).toBe(refusal('NOT_ALLOWED'))
})

it('a cell that has served one allowlist is not used for another: a new one replaces it', async () => {
  const [a, b] = await Promise.all([startServer(), startServer()])
  const { host, decisions } = cellHost({ maxCells: 1 })
  for (const [round, allowed] of [a, b, a, b].entries()) {
    const sandbox = await openFor(host, [allowed], [a, b])
    const [of, other] = allowed === a ? [a, b] : [b, a]
    expect(await Promise.all([get(sandbox, of, `${round}`), get(sandbox, other, 'no')])).toEqual([
      `hello /${round}\n`,
      refusal('NOT_ALLOWED'),
    ])
    // A job that is left behind ends with its command.
    await sandbox.execute(`(while :; do curl -s ${other.origin}/job; done) > /dev/null & sleep 0.1`)
    await sandbox.close()
  }
  expect(new Set(decisions.map(({ cell }) => cell))).toEqual(
    new Set(['cell-1', 'cell-2', 'cell-3', 'cell-4']),
  )
  expect([a, b].map(({ seen }) => seen.map(({ url }) => url))).toEqual([
    ['/0', '/2'],
    ['/1', '/3'],
  ])
})

it('a cell in which a retired command still runs is not used for another allowlist', async () => {
  const [hanging, b] = await Promise.all([startServer(() => undefined), startServer()])
  const { host, decisions } = cellHost({ maxCells: 1, sandboxesPerCell: 2 })
  const [given, kept] = await Promise.all([
    openFor(host, [hanging], [hanging, b]),
    openFor(host, [hanging], [hanging, b]),
  ])
  const hung = given.execute(`curl -s ${hanging.origin}/; curl -s ${b.origin}/stolen`, { timeout: 600 })
  hung.catch(() => undefined)
  await until(() => hanging.seen.length === 1)
  await given.close()
  await until(() => host.stats().retired === 1)
  const other = await openFor(host, [b], [hanging, b])
  expect(await get(other, b, 'b')).toBe('hello /b\n')
  expect(decisions.map(({ cell, allowed }) => [cell, allowed])).toEqual([
    ['cell-1', true],
    ['cell-2', true],
  ])
  await kept.close()
  await until(() => host.stats().retired === 0)
  expect(b.seen.map(({ url }) => url)).toEqual(['/b'])
})

it('many short-lived sandboxes on few cells reach what they are allowed, and nothing else', async () => {
  const servers = await Promise.all([startServer(), startServer(), startServer()])
  const { host } = cellHost({ maxCells: 2, sandboxesPerCell: 2 })
  const rounds = byTier({ default: 3, full: 6 })
  const runs = Array.from({ length: rounds * servers.length }, async (_, index) => {
    const own = servers[index % servers.length]
    if (own === undefined) return []
    const sandbox = await openFor(host, [own], servers)
    const answers = await Promise.all(servers.map((server) => get(sandbox, server, `${index}`)))
    await sandbox.close()
    return answers.map(
      (answer, at) => answer === (servers[at] === own ? `hello /${index}\n` : refusal('NOT_ALLOWED')),
    )
  })
  expect((await Promise.all(runs)).flat()).toEqual(Array(rounds * servers.length ** 2).fill(true))
  expect(servers.map(({ seen }) => seen.length)).toEqual([rounds, rounds, rounds])
})
