import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { ClusterClient, type ClusterNode, clusterNode } from '../../src/cluster/index.ts'
import { RemoteSandbox } from '../../src/remote/index.ts'
import { allEnded } from '../support/all-ended.ts'
import { token } from './node-process.ts'
import { type RedisProcess, startRedis } from './redis-process.ts'

let redis: RedisProcess
let data: string
let name = 0
const opened: { close(): Promise<void> }[] = []

beforeAll(async () => {
  redis = await startRedis()
})

afterAll(() => redis.stop())

afterEach(async () => {
  await Promise.all(opened.splice(0).map((one) => one.close()))
  await rm(data, { recursive: true, force: true })
})

/** Nodes in this process, and a client: of a cluster of their own. */
async function cluster({ nodes = 2, labels = [{}, {}] }: { nodes?: number; labels?: object[] } = {}) {
  data = await mkdtemp(join(tmpdir(), 'cluster-'))
  name += 1
  const shared = { redis: redis.url, cluster: `test-${name}` }
  const all: ClusterNode[] = []
  for (let at = 0; at < nodes; at += 1) {
    const node = await clusterNode({
      ...shared,
      data,
      tokens: [{ token, name: 'tester' }],
      nodeLabels: { ...labels[at] },
      lease: 10,
      grace: 5,
      hostOptions: { isolation: 'shared' },
    })
    opened.push(node)
    all.push(node)
  }
  const connect = async () => {
    const client = await ClusterClient.connect({ ...shared, token, patience: 60, silence: 60 })
    opened.push(client)
    return client
  }
  return { nodes: all, client: await connect(), connect }
}

test('a session is one, whichever client opens it', async () => {
  const { nodes, client, connect } = await cluster()
  const one = await client.getOrOpen('shared')
  await one.execute('echo here > file')
  const other = await (await connect()).getOrOpen('shared')
  expect((await other.execute('cat file')).stdout).toBe('here\n')
  expect(nodes.map(({ sessions }) => sessions).sort()).toEqual([0, 1])
})

test('sessions go to the node with the fewest, and to one with the labels that are asked for', async () => {
  const { nodes, client } = await cluster({ labels: [{ zone: 'a' }, { zone: 'b' }] })
  for (const id of ['1', '2', '3', '4']) await client.getOrOpen(id)
  expect(nodes.map(({ sessions }) => sessions)).toEqual([2, 2])
  for (const id of ['5', '6']) await client.getOrOpen(id, { on: { zone: 'b' } })
  expect(nodes.map(({ sessions }) => sessions)).toEqual([2, 4])
})

test('a session moves with its files and variables, and its fence rises', async () => {
  const { nodes, client } = await cluster()
  const sandbox = await client.getOrOpen('moving')
  await sandbox.execute('x=kept; echo data > file')
  const [before] = await all(client.list())
  const after = await client.move('moving')
  expect(after.instance).not.toBe(before?.owner?.instance)
  expect(after.fence).toBeGreaterThan(before?.owner?.fence ?? 0)
  expect((await sandbox.execute('echo $x; cat file')).stdout).toBe('kept\ndata\n')
  // And back, to a node that had it before.
  const again = await client.move('moving')
  expect(again.instance).toBe(before?.owner?.instance)
  expect((await sandbox.execute('echo $x; cat file')).stdout).toBe('kept\ndata\n')
  expect(nodes.map(({ sessions }) => sessions).sort()).toEqual([0, 1])
})

test('a node refuses what it does not have, with nothing run', async () => {
  const { nodes, client } = await cluster()
  const sandbox = await client.getOrOpen('elsewhere')
  await sandbox.execute('echo 1 > file')
  const idle = nodes.find(({ sessions }) => sessions === 0)
  const direct = RemoteSandbox.getOrOpen('elsewhere', {}, { url: idle?.url ?? '', token })
  await expect(direct).rejects.toMatchObject({ code: 'CONNECTION_FAILED', started: false })
})

test('sessions that are opened at once go to all nodes', async () => {
  const { nodes, client } = await cluster()
  await Promise.all(['1', '2', '3', '4'].map((id) => client.getOrOpen(id)))
  expect(Math.min(...nodes.map(({ sessions }) => sessions))).toBeGreaterThan(0)
})

test('a node that closes hands its sessions over, and no call of them is lost', async () => {
  const { nodes, client } = await cluster()
  const sandboxes = await Promise.all(['a', 'b', 'c', 'd'].map((id) => client.getOrOpen(id)))
  await Promise.all(sandboxes.map((one) => one.execute('n=0')))
  const leaving = nodes.find(({ sessions }) => sessions > 0)
  const staying = nodes.find((node) => node !== leaving)
  let isOver = false
  const close = async () => {
    try {
      await leaving?.close()
    } finally {
      isOver = true
    }
  }
  const count = async (one: RemoteSandbox) => {
    let calls = 0
    do {
      await one.execute('n=$((n+1))')
      calls += 1
    } while (!isOver)
    expect((await one.execute('echo $n')).stdout).toBe(`${calls}\n`)
  }
  await allEnded([...sandboxes.map(count), close()])
  expect(staying?.sessions).toBe(4)
})

test('a session that is closed is gone, and another one may have its id', async () => {
  const { client } = await cluster()
  const sandbox = await client.getOrOpen('again')
  await sandbox.execute('echo old > file')
  await sandbox.close()
  expect(await all(client.list())).toEqual([])
  await expect(sandbox.execute('true')).rejects.toMatchObject({ code: 'CLOSED' })
  const next = await client.getOrOpen('again')
  expect((await next.execute('cat file')).exitCode).toBe(1)
})

test('calls of a session cost no command of Redis beside the leases', async () => {
  const { client } = await cluster()
  const sandbox = await client.getOrOpen('busy')
  await sandbox.execute('n=0')
  const before = await commands()
  const start = performance.now()
  for (let n = 0; n < 50; n += 1) await sandbox.execute('n=$((n+1))')
  const seconds = (performance.now() - start) / 1000
  const after = await commands()
  // Two nodes renew once a second, each with one script.
  expect(after - before).toBeLessThanOrEqual(2 * (seconds + 2))
})

/** How many scripts Redis was asked to run. */
async function commands(): Promise<number> {
  const [, calls] = /^cmdstat_eval:calls=(\d+)/m.exec(await redis.redis.info('commandstats')) ?? []
  return Number(calls ?? 0)
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const item of items) found.push(item)
  return found
}
