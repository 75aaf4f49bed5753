import { once } from 'node:events'
import { createServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { ClusterConnection } from '../../src/cluster/cluster-connection.ts'
import { Owners } from '../../src/cluster/owners.ts'
import type { Located } from '../../src/cluster/registry.ts'
import { INSTANCE_HEADER } from '../../src/protocol/headers.ts'
import { problemOf } from '../../src/protocol/problem.ts'

const request = { method: 'POST', path: '/v1/sandboxes/a/execute', headers: {}, body: '{}' } as const

/** A node that has every session. @param answers - what it does with calls; the others never end. */
async function startNode(answers: { readonly calls?: number; readonly health?: boolean }) {
  const seen = { calls: 0 }
  const server = createServer((sent, response) => {
    response.setHeader(INSTANCE_HEADER, 'node')
    if (sent.url?.endsWith('/claim')) response.end()
    else if (sent.url === '/health' && answers.health === true) response.end()
    else if (sent.url?.endsWith('/execute')) {
      seen.calls += 1
      if (answers.calls === undefined) return
      const problem = problemOf('NOT_OWNER', 'It is elsewhere.')
      response.writeHead(answers.calls).end(JSON.stringify(problem))
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return { seen, located: { instance: 'node', url: `http://127.0.0.1:${port}`, fence: 1 } }
}

function ownersAt(
  located: Located | Promise<Located>,
  times: { readonly patience: number; readonly silence: number },
) {
  const registry = { locate: async () => located, nodes: async () => [] }
  return new Owners({ registry, token: 'a-token', ...times })
}

test('a search ends at its deadline, also where Redis does not answer', async () => {
  const owners = ownersAt(new Promise(() => undefined), { patience: 100, silence: 1000 })
  await expect(owners.find('a', { on: {} })).rejects.toMatchObject({ code: 'CLUSTER_UNAVAILABLE' })
  const joined = ['a', 'a'].map((id) => owners.of(id, {}, performance.now() + 100))
  for (const end of await Promise.allSettled(joined)) expect(end.status).toBe('rejected')
})

test('a call that every node sends away ends when its patience is over, all attempts together', async () => {
  const { seen, located } = await startNode({ calls: 421 })
  const connection = new ClusterConnection(ownersAt(located, { patience: 2000, silence: 60_000 }), {})
  await expect(connection.begin(request)).rejects.toMatchObject({ code: 'CLUSTER_UNAVAILABLE' })
  expect(seen.calls).toBeGreaterThan(0)
  const before = seen.calls
  // The attempts before this one have taken its patience.
  const since = performance.now() - 10_000
  await expect(connection.begin({ ...request, since })).rejects.toMatchObject({ code: 'CLUSTER_UNAVAILABLE' })
  expect(seen.calls).toBe(before)
})

test('a call on a node that says nothing rejects; on one that says that it is there it goes on', async () => {
  const [silent, busy] = [await startNode({}), await startNode({ health: true })]
  const times = { patience: 30_000, silence: 5000 }
  const stop = new AbortController()
  const running = new ClusterConnection(ownersAt(busy.located, times), {})
    .begin({ ...request, signal: stop.signal })
    .catch((error: unknown) => error)
  const lost = new ClusterConnection(ownersAt(silent.located, times), {}).begin(request)
  await expect(lost).rejects.toMatchObject({ code: 'WORKER_LOST', cause: { code: 'NODE_LOST' } })
  stop.abort()
  expect(await running).not.toMatchObject({ code: 'WORKER_LOST' })
})

test('an answer that is asked for again is asked of the node that may have it, and of no other', async () => {
  const { seen, located } = await startNode({ calls: 421 })
  const owners = ownersAt(located, { patience: 30_000, silence: 60_000 })
  const connection = new ClusterConnection(owners, {})
  await owners.of('a', {}, performance.now() + 30_000)
  const again = (instance: string) =>
    connection.begin({ ...request, headers: { [INSTANCE_HEADER]: instance } })
  await expect(again('another')).rejects.toMatchObject({ code: 'WORKER_LOST' })
  expect(seen.calls).toBe(0)
  await expect(again('node')).rejects.toMatchObject({ code: 'WORKER_LOST' })
  expect(seen.calls).toBe(1)
})
