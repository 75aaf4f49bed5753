import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { ClusterClient } from '../../src/cluster/index.ts'
import { allEnded } from '../support/all-ended.ts'
import { type NodeProcess, startNode, token } from './node-process.ts'
import { type RedisProcess, startRedis } from './redis-process.ts'

const patient = { timeout: 30_000, interval: 50 }
let redis: RedisProcess
let data: string
let client: ClusterClient
const nodes = new Map<string, NodeProcess>()
let started = 0

beforeAll(async () => {
  redis = await startRedis()
  data = await mkdtemp(join(tmpdir(), 'cluster-'))
  await Promise.all([start(), start()])
  client = await ClusterClient.connect({ redis: redis.url, token, silence: 3, patience: 30 })
})

afterAll(async () => {
  await client.close()
  await Promise.all([...nodes.values()].map((node) => node.stop('SIGKILL')))
  await redis.stop()
  await rm(data, { recursive: true, force: true })
})

async function start(): Promise<NodeProcess> {
  const options = { redis: redis.url, data, lease: 3, hostOptions: { isolation: 'shared' } } as const
  started += 1
  const node = await startNode(options, join(data, `audit-${started}`))
  nodes.set(node.instance, node)
  return node
}

/** The process that has a session, once one has it. */
function ownerOf(id: string): Promise<NodeProcess> {
  return vi.waitFor(async () => {
    for await (const session of client.list()) {
      const node = session.id === id ? nodes.get(session.owner?.instance ?? '') : undefined
      if (node !== undefined) return node
    }
    throw new Error(`Nobody has the session ${id}.`)
  }, patient)
}

test('the session of a node that is killed goes on elsewhere; the call under way rejects once', async () => {
  const sandbox = await client.getOrOpen('killed')
  await sandbox.execute('cd /tmp; x=kept; echo data > file')
  const owner = await ownerOf('killed')
  const lost = async () => {
    const call = sandbox.execute('echo lost > file; while :; do :; done', { timeout: 60 })
    await expect(call).rejects.toMatchObject({ code: 'WORKER_LOST', cause: { code: 'NODE_LOST' } })
  }
  const kill = async () => {
    try {
      await expect.poll(async () => (await sandbox.info()).pending, patient).toBeGreaterThan(0)
    } finally {
      await owner.stop('SIGKILL')
      nodes.delete(owner.instance)
    }
  }
  await allEnded([lost(), kill()])
  expect((await sandbox.execute('echo $x; cat file; pwd')).stdout).toBe('kept\ndata\n/tmp\n')
  expect((await ownerOf('killed')).instance).not.toBe(owner.instance)
  await start()
})

test('a node that was stopped for longer than its lease can neither answer nor store', async () => {
  const sandbox = await client.getOrOpen('stopped')
  await sandbox.execute('n=1')
  const owner = await ownerOf('stopped')
  owner.process.kill('SIGSTOP')
  // It was sent to the stopped node, which has it in its queue when it goes on.
  const stale = sandbox.execute('n=stale')
  await expect(stale).rejects.toMatchObject({ code: 'WORKER_LOST', cause: { code: 'NODE_LOST' } })
  await sandbox.execute('n=$((n+1))')
  const next = await ownerOf('stopped')
  expect(next.instance).not.toBe(owner.instance)
  owner.process.kill('SIGCONT')
  const direct = () =>
    fetch(`${owner.url}/v1/sandboxes/stopped/execute`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ command: 'n=stale' }),
    })
  const answer = await direct()
  expect(answer.status).toBe(421)
  expect(await answer.json()).toMatchObject({ code: 'NOT_OWNER' })
  expect((await sandbox.execute('echo $n')).stdout).toBe('2\n')
  // It takes sessions again.
  await vi.waitFor(async () => expect((await client.nodes()).length).toBe(2), patient)
  expect((await client.move('stopped')).instance).toBe(owner.instance)
  expect((await sandbox.execute('echo $n')).stdout).toBe('2\n')
})

test('a signal has a node hand its sessions over', async () => {
  const sandbox = await client.getOrOpen('drained')
  const owner = await ownerOf('drained')
  let calls = 0
  let isOver = false
  const count = async () => {
    await sandbox.execute('n=0')
    while (!isOver) {
      await sandbox.execute('n=$((n+1))')
      calls += 1
    }
  }
  const drain = async () => {
    try {
      await expect.poll(() => calls, patient).toBeGreaterThan(2)
      await owner.stop('SIGTERM')
      nodes.delete(owner.instance)
      const before = calls
      await expect.poll(() => calls, patient).toBeGreaterThan(before + 2)
    } finally {
      isOver = true
    }
  }
  await allEnded([count(), drain()])
  expect((await sandbox.execute('echo $n')).stdout).toBe(`${calls}\n`)
})

test('the audit logs of all nodes say which one had a session when: none ran on two at once', async () => {
  const fences = new Map<string, Set<string>>()
  for (let at = 1; at <= started; at += 1) {
    const text = await readFile(join(data, `audit-${at}`), 'utf8')
    // A node that was killed may have left a part of a line.
    for (const line of text.split('\n').slice(0, -1)) {
      const { id, labels } = JSON.parse(line)
      if (labels?.cluster_fence === undefined) continue
      const key = `${id} ${labels.cluster_fence}`
      fences.set(key, (fences.get(key) ?? new Set()).add(String(at)))
    }
  }
  expect(fences.size).toBeGreaterThan(5)
  expect([...fences.values()].filter((nodesOfFence) => nodesOfFence.size > 1)).toEqual([])
})
