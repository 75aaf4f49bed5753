import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ClusterClient, type ClusterNode, clusterNode } from '../../src/cluster/index.ts'
import { isFull } from '../support/tier.ts'
import { token } from './node-process.ts'
import { type RedisProcess, startRedis } from './redis-process.ts'

const patient = { timeout: 40_000, interval: 100 }
let redis: RedisProcess
let data: string
let nodes: ClusterNode[]
let client: ClusterClient

beforeEach(async () => {
  redis = await startRedis()
  data = await mkdtemp(join(tmpdir(), 'cluster-'))
  const node = () =>
    clusterNode({
      redis: redis.url,
      data,
      tokens: [{ token, name: 'tester' }],
      lease: 3,
      hostOptions: { isolation: 'shared' },
    })
  nodes = await Promise.all([node(), node()])
  client = await ClusterClient.connect({ redis: redis.url, token })
})

afterEach(async () => {
  redis.signal('SIGCONT')
  await redis.redis.config('SET', 'maxmemory', '0')
  await Promise.all([client, ...nodes].map((one) => one.close()))
  await redis.stop()
  await rm(data, { recursive: true, force: true })
})

test('sessions go on over a Redis that was started again with nothing, and their fences rise', async () => {
  const sandbox = await client.getOrOpen('kept')
  await sandbox.execute('n=1')
  const before = await client.move('kept')
  const ids = nodes.map(({ sessions }) => sessions)
  await redis.restart()
  expect((await sandbox.execute('n=$((n+1)); echo $n')).stdout).toBe('2\n')
  // Another client finds it where it was: its node has written it down again, and no other has taken it.
  const other = await ClusterClient.connect({ redis: redis.url, token, patience: 30 })
  try {
    const same = await other.getOrOpen('kept')
    expect((await same.execute('n=$((n+1)); echo $n')).stdout).toBe('3\n')
    expect(nodes.map(({ sessions }) => sessions)).toEqual(ids)
    const after = await other.move('kept')
    expect(after.fence).toBeGreaterThan(before.fence)
    expect((await sandbox.execute('echo $n')).stdout).toBe('3\n')
  } finally {
    await other.close()
  }
})

test.runIf(isFull)(
  'a Redis that stands still stops calls when leases end, each in time, and they go on after it',
  async () => {
    const sandbox = await vi.waitFor(() => client.getOrOpen('paused'), patient)
    await sandbox.execute('n=1')
    redis.signal('SIGSTOP')
    expect((await sandbox.execute('n=$((n+1)); echo $n')).stdout).toBe('2\n')
    await expect.poll(() => nodes.some(({ isServing }) => isServing), patient).toBe(false)
    const start = performance.now()
    await expect(sandbox.execute('n=3')).rejects.toMatchObject({ code: 'CLUSTER_UNAVAILABLE' })
    expect(performance.now() - start).toBeLessThan(20_000)
    redis.signal('SIGCONT')
    await expect.poll(async () => (await sandbox.execute('echo $n')).stdout, patient).toBe('2\n')
  },
  90_000,
)

test.runIf(isFull)(
  'a Redis without memory keeps leases, and opens nothing',
  async () => {
    const sandbox = await client.getOrOpen('full')
    await redis.redis.config('SET', 'maxmemory-policy', 'noeviction')
    await redis.redis.config('SET', 'maxmemory', '1')
    await expect(client.getOrOpen('another')).rejects.toMatchObject({
      code: 'CLUSTER_UNAVAILABLE',
      message: expect.stringContaining('OOM'),
    })
    // By now each lease of before has ended.
    expect((await sandbox.execute('echo on')).stdout).toBe('on\n')
    expect(nodes.every(({ isServing }) => isServing)).toBe(true)
  },
  90_000,
)
