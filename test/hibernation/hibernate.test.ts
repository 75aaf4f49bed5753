import { describe, expect, it, onTestFinished } from 'vitest'
import type { BashSandbox } from '../../src/bash/index.ts'
import { ShellHost, type ShellHostOptions } from '../../src/index.ts'
import { until, within } from '../faults/helpers.ts'
import { endOf } from '../session/support/ends.ts'
import { allLevels } from '../support/describe-engines.ts'
import { MemoryStore } from '../support/memory-store.ts'
import { isFull } from '../support/tier.ts'

/** A host with a store, and what its events have told. */
function hostOf(options: ShellHostOptions = {}, store = new MemoryStore()) {
  const host = new ShellHost({ isolation: 'shared', hibernate: { store }, ...options })
  const told: string[] = []
  for (const event of ['opened', 'reopened', 'woken', 'checkpoint'] as const)
    host.on(event, ({ id }) => told.push(`${event} ${id}`))
  for (const event of ['hibernated', 'closed', 'lost', 'storeFailed', 'rejected'] as const)
    host.on(event, ({ id, reason }) => told.push(`${event} ${id} ${reason}`))
  onTestFinished(() => host.close())
  return { host, store, told }
}

const config = { shell: 'bash', checkpoint: 'never' } as const
const print = async (sandbox: Pick<BashSandbox, 'execute'>, command: string) =>
  (await sandbox.execute(command)).stdout.trim()
const state = 'cd /tmp; x="a b"; f() { echo "f $1"; }; echo data > file; set -u'
const look = 'f $x; cat file; pwd; case $- in *u*) echo on ;; esac'
const seen = 'f a\ndata\n/tmp\non'

describe.each(
  (['bash', 'strands'] as const).flatMap((shell) =>
    (isFull ? allLevels : [shell === 'bash' ? ('process' as const) : ('worker' as const)]).map(
      (isolation) => ({ shell, isolation }),
    ),
  ),
)('a sandbox that hibernates ($shell, $isolation)', ({ shell, isolation }) => {
  const config = { shell, checkpoint: 'never' } as const

  it('has all that it had at its next call, in this host and in a later one', async () => {
    const { host, store, told } = hostOf({ isolation })
    const sandbox = await host.getOrOpen('a', { ...config, init: 'echo init >> /tmp/log' })
    await sandbox.execute(state)
    expect([await sandbox.hibernate(), sandbox.status]).toEqual([true, 'hibernated'])
    expect(host.stats()).toMatchObject({ open: 1, hibernated: 1, hibernations: 1, wakes: 0 })
    expect(host.list()).toMatchObject([{ id: 'a', hibernated: true }])
    expect(await host.getOrOpen('a', config)).toBe(sandbox)
    expect(await print(sandbox, look)).toBe(seen)
    expect([sandbox.status, sandbox.generation]).toEqual(['open', 1])
    await host.drain({ hibernate: true })
    expect(told.filter((line) => line !== 'checkpoint a')).toEqual([
      'opened a',
      'hibernated a asked',
      'woken a',
      'hibernated a drained',
      'closed a drained',
    ])

    const { host: next } = hostOf({ isolation }, store)
    expect(await endOf(next.open(config, { id: 'a' }))).toMatchObject([
      'INVALID_CONFIG',
      'id "a" is that of a stored session. Use getOrOpen to wake it, or delete it from the store.',
    ])
    const again = await next.getOrOpen('a', config)
    expect([await print(again, look), await print(again, 'cat /tmp/log')]).toEqual([seen, 'init'])
    await again.close()
    expect(await store.list()).toEqual([])
    expect(await print(await next.getOrOpen('a', config), 'ls /tmp')).toBe('')
  })
})

describe('a host that stores its sandboxes', () => {
  it('stores what nobody has used for hibernate.after, and no other', async () => {
    const store = new MemoryStore()
    const { host } = hostOf({ hibernate: { store, after: 0.3 } }, store)
    const [idle, used, job, unnamed] = await Promise.all([
      host.getOrOpen('idle', config),
      host.getOrOpen('used', config),
      host.getOrOpen('job', config),
      host.open(config),
    ])
    const use = used.execute('sleep 1; echo used')
    await job.execute('sleep 60 & true')
    await until(() => idle.status === 'hibernated')
    await use
    expect([used.status, job.status, unnamed.status]).toEqual(['open', 'open', 'open'])
    await until(() => used.status === 'hibernated')
    expect((await store.list()).map(({ id }) => id).sort()).toEqual(['idle', 'job', 'used'])
  })

  it('keeps what the store has where a session cannot be opened with it', async () => {
    const { host, store } = hostOf()
    await (await host.getOrOpen('a', config)).execute('x=1')
    await host.drain({ hibernate: true })

    const { host: next } = hostOf({ maxSandboxes: 1, onSaturated: 'reject' }, store)
    expect(await endOf(next.getOrOpen('a', { shell: 'strands' }))).toMatchObject([
      'UNSUPPORTED',
      expect.stringContaining('bash shell'),
    ])
    const other = await next.open(config)
    expect(await endOf(next.getOrOpen('a', config))).toMatchObject(['HOST_SATURATED', expect.anything()])
    store.failure = new Error('away')
    expect(await endOf(next.getOrOpen('a', config))).toMatchObject(['IO_ERROR', expect.anything()])
    store.failure = undefined
    await other.close()
    expect(await print(await next.getOrOpen('a', config), 'echo $x')).toBe('1')
  })

  it.each(['bash', 'strands'] as const)(
    'takes the credentials of a session from the config that wakes it, and says which it lacks (%s)',
    async (shell) => {
      const allowedUrls = ['http://127.0.0.1:9/']
      const credential = { url: 'http://127.0.0.1:9/', token: 'canary-of-hibernation' }
      const given = { shell, checkpoint: 'never', allowedUrls, credentials: [credential] } as const
      const { host, store } = hostOf()
      await (await host.getOrOpen('a', given)).execute('x=1')
      await host.drain({ hibernate: true })
      const snapshot = await store.get('a')
      expect(snapshot?.omitted).toContainEqual({ kind: 'credential', name: credential.url })
      expect(Buffer.from((await snapshot?.toBytes()) ?? []).includes(credential.token)).toBe(false)

      const { host: next } = hostOf({}, store)
      expect(await endOf(next.getOrOpen('a', { ...given, credentials: [] }))).toEqual([
        'INVALID_CONFIG',
        expect.stringContaining('credentials must have one for "http://127.0.0.1:9/"'),
      ])
      const rotated = { ...given, credentials: [{ ...credential, token: 'canary-of-another-day' }] }
      expect(await print(await next.getOrOpen('a', rotated), 'echo $x')).toBe('1')
    },
  )

  it('keeps a session that is used while it is stored', async () => {
    const { host, store } = hostOf()
    const sandbox = await host.getOrOpen('a', config)
    let release: (() => void) | undefined
    const put = store.put.bind(store)
    store.put = async (...given) => {
      await new Promise<void>((resolve) => {
        release = resolve
      })
      await put(...given)
    }
    const asleep = sandbox.hibernate()
    await until(() => release !== undefined)
    expect(await print(sandbox, 'x=1; echo $x')).toBe('1')
    release?.()
    expect([await asleep, sandbox.status, await print(sandbox, 'echo $x')]).toEqual([false, 'open', '1'])
  })

  it.each(['bash', 'strands'] as const)('hibernates once where several ask at once (%s)', async (shell) => {
    const { host, store, told } = hostOf({ isolation: 'worker' })
    const sandbox = await host.getOrOpen('a', { ...config, shell })
    const others: Promise<boolean>[] = []
    const put = store.put.bind(store)
    store.put = async (...given) => {
      await put(...given)
      // Its look at the session is under way when the first one ends the lease.
      others.push(sandbox.hibernate())
    }
    expect([await sandbox.hibernate(), await Promise.all(others)]).toEqual([true, [true]])
    expect(told.filter((line) => line.startsWith('hibernated'))).toEqual(['hibernated a asked'])
  })

  it('hibernates behind a call while another sandbox waits for its place', async () => {
    const { host } = hostOf({ isolation: 'worker', maxSandboxes: 1, onSaturated: 'hibernate' })
    const sandbox = await host.getOrOpen('a', config)
    for (let round = 0; round < 10; round += 1) {
      const run = sandbox.execute('n=$((n + 1))')
      const asked = sandbox.hibernate()
      const other = await host.getOrOpen(`other-${round}`, config)
      expect([await run.then(({ exitCode }) => exitCode), await asked]).toEqual([0, true])
      await other.close()
    }
    expect(await print(sandbox, 'echo $n')).toBe('10')
  })

  it('keeps a session that the store does not take, and wakes one when the store works again', async () => {
    const { host, store, told } = hostOf()
    const sandbox = await host.getOrOpen('a', config)
    await sandbox.execute('x=1')
    store.failure = new Error('full')
    expect(await endOf(sandbox.hibernate())).toEqual(['IO_ERROR', 'The snapshot store failed: full'])
    expect([sandbox.status, await print(sandbox, 'echo $x')]).toEqual(['open', '1'])
    store.failure = undefined
    expect(await sandbox.hibernate()).toBe(true)
    store.failure = new Error('away')
    expect(await endOf(sandbox.execute('echo $x'))).toEqual(['IO_ERROR', 'The snapshot store failed: away'])
    store.failure = undefined
    expect(await print(sandbox, 'echo $x')).toBe('1')
    expect(told.filter((line) => /Failed|rejected/.test(line))).toEqual([
      'storeFailed a IO_ERROR',
      'rejected a IO_ERROR',
    ])
  })

  it('does not wait for a store that never answers', async () => {
    const { host, store } = hostOf({ openTimeout: 3 })
    const sandbox = await host.getOrOpen('a', config)
    await sandbox.hibernate()
    store.failure = new Promise(() => undefined)
    expect(await endOf(within(60, sandbox.execute('true')))).toMatchObject([
      'IO_ERROR',
      'The snapshot store did not answer within 3 s (openTimeout of the host) for the session "a".',
    ])
  })

  it('says once that a session is not in the store any more', async () => {
    const { host, store } = hostOf()
    const sandbox = await host.getOrOpen('a', config)
    await sandbox.execute('x=1')
    await sandbox.hibernate()
    await store.delete('a')
    expect(await endOf(sandbox.execute('true'))).toMatchObject([
      'INVALID_SNAPSHOT',
      expect.stringMatching(/not in the store/),
    ])
    expect(await print(sandbox, 'echo "[$x]"')).toBe('[]')
  })

  it('does not store over what another host has stored since', async () => {
    const { host, store, told } = hostOf()
    const sandbox = await host.getOrOpen('a', config)
    await sandbox.execute('x=1')
    await sandbox.hibernate()
    await sandbox.execute('x=old')
    const other = hostOf({}, store)
    const taken = await other.host.getOrOpen('a', config)
    await taken.execute('x=new')
    await taken.hibernate()
    expect(await endOf(sandbox.hibernate())).toMatchObject(['STALE_FENCE', expect.stringMatching(/.*/)])
    expect(told.at(-1)).toBe('storeFailed a STALE_FENCE')
    expect([await print(sandbox, 'echo $x'), await print(taken, 'echo $x')]).toEqual(['old', 'new'])
    await sandbox.close()
    expect((await store.list()).length).toBe(1)
  })

  it('gives a stored session another state', async () => {
    const { host } = hostOf()
    const sandbox = await host.getOrOpen('a', config)
    await sandbox.execute('x=1')
    const snapshot = await sandbox.snapshot()
    await sandbox.execute('x=2')
    await sandbox.hibernate()
    await sandbox.restore(snapshot)
    expect([await print(sandbox, 'echo $x'), sandbox.generation]).toEqual(['1', 2])
    await sandbox.hibernate()
    expect([await print(sandbox, 'echo $x'), sandbox.generation]).toEqual(['1', 2])
  })

  it('refuses to hibernate what it does not store', async () => {
    const { host } = hostOf()
    const unnamed = await host.open(config)
    expect(await endOf(unnamed.hibernate())).toMatchObject(['UNSUPPORTED', expect.stringMatching(/an id/)])
    const without = new ShellHost({ isolation: 'shared' })
    onTestFinished(() => without.close())
    expect(await endOf((await without.getOrOpen('a', config)).hibernate())).toMatchObject([
      'UNSUPPORTED',
      /store/,
    ])
    expect(await endOf(without.drain({ hibernate: true }))).toMatchObject([
      'INVALID_CONFIG',
      /hibernate: \{ store \}/,
    ])
  })

  it('puts each checkpoint into the store', async () => {
    const { host, store } = hostOf()
    const sandbox = await host.getOrOpen('a', { shell: 'bash' })
    await sandbox.execute('x=1')
    await until(async () => (await store.get('a')) !== undefined)
    const call = sandbox.execute('sleep 0.1; x=2')
    await sandbox.checkpoint()
    await call
    const { host: next } = hostOf({}, store)
    expect(await print(await next.getOrOpen('a', config), 'echo $x')).toBe('2')
    const timed = await host.getOrOpen('b', { shell: 'bash', checkpoint: { idle: 0.2 } })
    await timed.execute('x=1')
    expect(await store.find('b')).toBeUndefined()
    await until(async () => (await store.find('b')) !== undefined)
    const { fence } = (await store.find('b')) ?? {}
    await new Promise((resolve) => setTimeout(resolve, 500))
    expect((await store.find('b'))?.fence).toBe(fence)
  })

  it('stores before it closes for idleness, and lets what runs end before a drain stores it', async () => {
    const { host, store } = hostOf({ idleTimeout: 0.3 })
    const sandbox = await host.getOrOpen('a', config)
    await sandbox.execute('x=1')
    await until(() => sandbox.status === 'closed')
    const again = await host.getOrOpen('a', config)
    expect([await print(again, 'echo $x'), again.generation]).toEqual(['1', 2])
    const call = again.execute('sleep 0.3; x=2; echo ended')
    await host.drain({ hibernate: true })
    expect((await call).stdout).toBe('ended\n')
    const { host: next } = hostOf({}, store)
    expect(await print(await next.getOrOpen('a', config), 'echo $x')).toBe('2')
  })
})

describe('a full host', () => {
  const three = async (host: ShellHost) => {
    const boxes: BashSandbox[] = []
    for (const id of ['a', 'b', 'c']) {
      const sandbox = await host.getOrOpen(id, config)
      await sandbox.execute(`x=${id}`)
      boxes.push(sandbox)
    }
    return boxes
  }

  it('stores the longest idle ones', async () => {
    const { host, told } = hostOf({ maxSandboxes: 2 })
    const boxes = await three(host)
    expect(boxes.map(({ status }) => status)).toEqual(['hibernated', 'open', 'open'])
    const order = await Promise.all(boxes.map((sandbox) => print(sandbox, 'echo $x')))
    expect(order).toEqual(['a', 'b', 'c'])
    expect(told).toContain('hibernated a saturated')
    expect(host.stats().peak).toBe(2)
  })

  it("closes the longest idle one with onSaturated 'evict-idle'", async () => {
    const { host, told } = hostOf({ maxSandboxes: 2, onSaturated: 'evict-idle', hibernate: undefined })
    const boxes = await three(host)
    expect(boxes.map(({ status }) => status)).toEqual(['closed', 'open', 'open'])
    expect(told).toContain('closed a evicted')
    expect(await endOf(boxes[0]?.execute('true') ?? Promise.resolve())).toEqual([
      'CLOSED',
      'This sandbox is closed: another one needed its place. Open a new one.',
    ])
  })

  it("rejects at once with onSaturated 'reject'", async () => {
    const { host } = hostOf({ maxSandboxes: 2, onSaturated: 'reject' })
    expect(await endOf(three(host))).toMatchObject([
      'HOST_SATURATED',
      expect.stringMatching(/maxSandboxes: 2/),
    ])
  })

  it('waits for a sandbox that is in use', async () => {
    const { host } = hostOf({ maxSandboxes: 1 })
    const sandbox = await host.getOrOpen('a', config)
    const call = sandbox.execute('sleep 0.5; x=1')
    const other = await host.getOrOpen('b', config)
    expect([other.status, sandbox.status]).toEqual(['open', 'hibernated'])
    await call
  })
})
