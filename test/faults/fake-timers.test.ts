import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, describe, expect, inject, it, onTestFinished, vi } from 'vitest'
import type * as Cluster from '../../src/cluster/index.ts'
import type * as Package from '../../src/index.ts'
import type * as Remote from '../../src/remote/index.ts'
import type * as ServicePart from '../../src/service/index.ts'
import { startRedis } from '../cluster/redis-process.ts'
import { levelsOrThreadAndCell } from '../support/describe-engines.ts'
import { noJails } from '../support/jail.ts'
import { isFull } from '../support/tier.ts'

/** A part of the package as it is built. Other tests have one whose timers they replace. */
function built<Part>(path: string): Promise<Part> {
  return import(/* @vite-ignore */ pathToFileURL(`${inject('programs')}/src/${path}index.js`).href)
}

const { directoryStore, ShellHost } = await built<typeof Package>('')
const { serve } = await built<typeof ServicePart>('service/')
const { RemoteSandbox } = await built<typeof Remote>('remote/')

const hasRedis = spawnSync('redis-server', ['--version']).status === 0

/** All that the runner can replace in a process of its own. */
const toFake = [
  ...([
    'setTimeout',
    'clearTimeout',
    'setInterval',
    'clearInterval',
    'setImmediate',
    'clearImmediate',
  ] as const),
  ...(['Date', 'performance', 'hrtime', 'queueMicrotask', 'requestAnimationFrame'] as const),
]

/** Has all timers stand still, those of modules that import them from Node too. */
function stopTimers(): void {
  vi.useFakeTimers({ toFake: [...toFake] })
  syncBuiltinESMExports()
}

afterEach(() => {
  vi.useRealTimers()
  syncBuiltinESMExports()
})

/** Each shell, and each kind of place: both of both in the full tier. */
const levelsOf = {
  strands: isFull ? levelsOrThreadAndCell : (['worker'] as const),
  bash: isFull ? levelsOrThreadAndCell : (['process'] as const),
}

describe.each(['strands', 'bash'] as const)('with timers that stand still, of %s', (shell) => {
  it.each(levelsOf[shell])('sandboxes open, run, are interrupted, and close: %s', async (isolation) => {
    stopTimers()
    const host = new ShellHost({ isolation, idleTimeout: 0.05, warm: 1 })
    try {
      const sandbox = await host.open({ shell, timeout: 20 })
      expect((await sandbox.execute('echo a')).stdout).toBe('a\n')
      await sandbox.writeText('/tmp/a', 'x'.repeat(2 ** 20))
      expect((await sandbox.readText('/tmp/a')).length).toBe(2 ** 20)
      await expect(sandbox.execute('sleep 2.5', { timeout: 0.1 })).rejects.toMatchObject({
        code: 'TIMEOUT',
      })
      const abort = new AbortController()
      const call = sandbox.execute('sleep 0.4', { signal: abort.signal })
      abort.abort()
      await expect(call).rejects.toMatchObject({ code: 'ABORTED' })
      const chunks: string[] = []
      for await (const event of sandbox.executeStreaming('echo b')) chunks.push(JSON.stringify(event))
      expect(chunks.join('')).toContain('b\\n')
      const results = await Promise.all([1, 2].map((number) => host.run(`echo ${number}`, { shell })))
      expect(results.map(({ stdout }) => stdout)).toEqual(['1\n', '2\n'])
    } finally {
      await host.close()
    }
  })
})

it('a command that does not end is given up in its time', async () => {
  stopTimers()
  const host = new ShellHost({ isolation: 'process' })
  try {
    const sandbox = await host.open({ shell: 'bash', timeout: 0.2 })
    expect(await sandbox.execute('while :; do :; done')).toMatchObject({ timedOut: true })
  } finally {
    await host.close()
  }
})

it('a worker that cannot be started is tried again after a pause', async () => {
  stopTimers()
  const directory = temporary()
  const entry = join(directory, 'entry.cjs')
  writeFileSync(entry, 'throw new Error("no good")')
  const host = new ShellHost({ isolation: 'worker', workerUrl: pathToFileURL(entry) })
  try {
    for (let times = 0; times < 3; times++)
      await expect(host.open({ shell: 'bash' })).rejects.toMatchObject({ code: 'WORKER_LOST' })
  } finally {
    await host.close()
  }
})

it('a service and its clients work, wait for each other, and close', async () => {
  stopTimers()
  const token = 'a-token-of-these-tests'
  const data = temporary()
  const options = { tokens: [{ token, name: 'tester' }], templates: { bash: { shell: 'bash' as const } } }
  const service = await serve({ ...options, data })
  const client = { url: service.url, token, reconnectTime: 20 }
  const sandbox = await RemoteSandbox.open({ id: 'a', template: 'bash' }, client)
  expect((await sandbox.execute('echo a; X=1')).stdout).toBe('a\n')
  const headers = { authorization: `Bearer ${token}` }
  // Not with `fetch`, which takes a function that stands still.
  const events = get(`${service.url}/v1/events`, { headers })
  events.on('error', () => undefined)
  const ended = new Promise((resolve) => events.once('close', resolve))
  await new Promise((resolve) => events.once('response', (response) => resolve(response.resume())))
  await service.close({ grace: 1 })
  await ended
  const port = Number(new URL(client.url).port)
  const later = sandbox.execute('echo $X')
  const again = await serve({ ...options, data, port })
  try {
    expect((await later).stdout).toBe('1\n')
  } finally {
    await again.close({ grace: 0 })
  }
})

it('a session that nobody uses is stored, and goes on', async () => {
  stopTimers()
  const host = new ShellHost({ isolation: 'process', hibernate: { store: directoryStore(temporary()) } })
  try {
    const sandbox = await host.getOrOpen('a', { shell: 'bash' })
    await sandbox.execute('X=kept')
    await sandbox.hibernate()
    expect((await sandbox.execute('echo $X')).stdout).toBe('kept\n')
  } finally {
    await host.close()
  }
})

it.runIf(isFull && hasRedis)('nodes of a cluster keep their leases, and a session moves', async () => {
  const redis = await startRedis()
  onTestFinished(() => redis.stop())
  const { ClusterClient, clusterNode } = await built<typeof Cluster>('cluster/')
  stopTimers()
  const shared = { redis: redis.url, cluster: 'still', lease: 10 }
  const token = 'a-token-of-these-tests'
  const tokens = [{ token, name: 'tester' }]
  const data = temporary()
  const hostOptions = { isolation: 'shared' } as const
  const nodes = await Promise.all([1, 2].map(() => clusterNode({ ...shared, data, tokens, hostOptions })))
  const client = await ClusterClient.connect({ redis: redis.url, cluster: 'still', token, patience: 60 })
  try {
    const sandbox = await client.getOrOpen('a')
    await sandbox.execute('x=kept; sleep 15')
    const { fence } = await client.move('a')
    expect([fence > 1, (await sandbox.execute('echo $x')).stdout]).toEqual([true, 'kept\n'])
  } finally {
    await client.close()
    await Promise.all(nodes.map((node) => node.close()))
  }
})

it.skipIf(noJails !== undefined)('a jail runs, is interrupted, and closes', async () => {
  stopTimers()
  const host = new ShellHost({ isolation: 'shared' })
  try {
    const sandbox = await host.open({ shell: 'jail' })
    expect((await sandbox.execute('echo a')).stdout).toBe('a\n')
    await expect(sandbox.execute('sleep 100', { timeout: 0.1 })).rejects.toMatchObject({ code: 'TIMEOUT' })
    expect((await sandbox.execute('echo b')).stdout).toBe('b\n')
  } finally {
    await host.close()
  }
})

/** A directory that the test's end removes. */
function temporary(): string {
  const path = mkdtempSync(join(tmpdir(), 'fake-timers-'))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  return path
}
