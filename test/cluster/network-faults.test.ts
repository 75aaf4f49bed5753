import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { ClusterClient, clusterNode } from '../../src/cluster/index.ts'
import { type Proxy as ProxyOf, startProxy } from '../remote/proxy.ts'
import { allEnded } from '../support/all-ended.ts'
import { isFull } from '../support/tier.ts'
import { type NodeProcess, startNode, token } from './node-process.ts'
import { type RedisProcess, startRedis } from './redis-process.ts'

const patient = { timeout: 40_000, interval: 100 }
/** Seconds. */
const lease = 3
let redis: RedisProcess
let data: string

beforeEach(async () => {
  redis = await startRedis()
  data = await mkdtemp(join(tmpdir(), 'cluster-'))
  // Behind those of the nodes, which are told later.
  onTestFinished(async () => {
    await redis.stop()
    await rm(data, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 })
  })
})

function options(url = redis.url) {
  const tokens = [{ token, name: 'tester' }]
  return { redis: url, data, tokens, lease, hostOptions: { isolation: 'shared' } } as const
}

async function joined(url?: string) {
  const node = await clusterNode(options(url))
  onTestFinished(() => node.close({ grace: 0 }))
  return node
}

async function connect(url = redis.url) {
  const client = await ClusterClient.connect({ redis: url, token, patience: 30 })
  onTestFinished(() => client.close())
  return client
}

/** A way to Redis that can be slow, or cut. */
async function way(): Promise<{ readonly proxy: ProxyOf; readonly url: string }> {
  const proxy = await startProxy(redis.url.replace('redis:', 'http:'))
  return { proxy, url: proxy.url.replace('http:', 'redis:') }
}

test('a node that Redis does not hear answers for its lease alone, and then another one has its sessions', async () => {
  const { proxy, url } = await way()
  const cut = await joined(url)
  const client = await connect()
  const sandbox = await client.getOrOpen('parted')
  await sandbox.execute('n=1')
  const other = await joined()
  const late = expect(sandbox.execute('n=9; sleep 30')).rejects.toMatchObject({ code: 'WORKER_LOST' })
  const part = async () => {
    await expect.poll(() => cut.host.get('parted')?.pending, patient).toBe(1)
    proxy.refuses = true
    proxy.cut()
    await expect.poll(() => cut.isServing, patient).toBe(false)
    // Clients reach it as before.
    const answer = await fetch(`${cut.url}/v1/sandboxes/parted/execute`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ command: 'n=8' }),
    })
    expect(await answer.json()).toMatchObject({ code: 'NOT_OWNER' })
    expect((await sandbox.execute('n=$((n+1)); echo $n')).stdout).toBe('2\n')
    expect(other.sessions).toBe(1)
  }
  await allEnded([late, part()])
  proxy.refuses = false
  await expect.poll(() => [cut.isServing, cut.sessions], patient).toEqual([true, 0])
  await vi.waitFor(() => client.move('parted'), patient)
  expect([cut.sessions, (await sandbox.execute('echo $n')).stdout]).toEqual([1, '2\n'])
})

test('a Redis that takes 200 ms for everything slows openings, and no call', async () => {
  const { proxy, url } = await way()
  proxy.delay = 100
  const node = await joined(url)
  const sandbox = await (await connect(url)).getOrOpen('slow')
  await sandbox.execute('n=1')
  const start = performance.now()
  for (let times = 0; times < 5; times += 1) await sandbox.execute('n=$((n+1))')
  expect((performance.now() - start) / 5).toBeLessThan(5 * proxy.delay)
  expect((await sandbox.execute('echo $n')).stdout).toBe('6\n')
  expect(node.isServing).toBe(true)
})

test('a client closes also where Redis is gone', async () => {
  const client = await connect()
  // It has the connections of jobs, too.
  const job = expect(client.run('true')).rejects.toMatchObject({ code: 'CLOSED' })
  await expect.poll(() => redis.redis.exists('strands:{default}:jobs:runs:meta'), patient).toBe(1)
  redis.signal('SIGSTOP')
  await client.close()
  await job
})

test.runIf(isFull)('a Redis that is paused holds up what opens a session, and no call', async () => {
  const node = await joined()
  const client = await connect()
  const sandbox = await client.getOrOpen('before')
  await redis.redis.client('PAUSE', 2000, 'ALL')
  let isOpen = false
  const opening = client.getOrOpen('meanwhile').then((opened) => {
    isOpen = true
    return opened
  })
  const call = async () => {
    expect((await sandbox.execute('echo on')).stdout).toBe('on\n')
    expect(isOpen).toBe(false)
  }
  await allEnded([opening, call()])
  expect((await (await opening).execute('echo too')).stdout).toBe('too\n')
  await expect.poll(() => [node.isServing, node.sessions], patient).toEqual([true, 2])
})

test.runIf(isFull)(
  'the clock of no node counts: with those of all jumping by 10 seconds, leases hold and sessions go on',
  async () => {
    const nodes = new Map<string, NodeProcess>()
    const start = async () => {
      const node = await startNode(options(), undefined, 'test/cluster/children/jumping-clock.ts')
      onTestFinished(() => node.stop('SIGKILL'))
      nodes.set(node.instance, node)
    }
    await allEnded([start(), start()])
    const client = await connect()
    const sandbox = await client.getOrOpen('timeless')
    const fenceOf = async () => {
      for await (const { owner } of client.list()) return owner
      return undefined
    }
    await sandbox.execute('n=0')
    const before = await fenceOf()
    // For two leases.
    const until = performance.now() + 2 * lease * 1000
    let calls = 0
    while (performance.now() < until) {
      await sandbox.execute('n=$((n+1))')
      calls += 1
    }
    expect(await fenceOf()).toEqual(before)
    await nodes.get(before?.instance ?? '')?.stop('SIGKILL')
    expect((await sandbox.execute('echo $n')).stdout).toBe(`${calls}\n`)
    const after = await fenceOf()
    expect(after?.instance).not.toBe(before?.instance)
    expect(after?.fence).toBeGreaterThan(before?.fence ?? 0)
    expect((await client.run('echo a job')).stdout).toBe('a job\n')
  },
)
