import { describe, expect, it, onTestFinished } from 'vitest'
import type { EngineName, HostedSandbox, OpenConfig, SandboxEventMap, ShellHost } from '../../src/index.ts'
import type { Policy, Verdict } from '../../src/policy/types.ts'
import { aborted, closed, endOf, lost, newest, until, watchWorkers, within } from '../faults/helpers.ts'
import { ownCells } from '../places/cells/children/cells-of.ts'
import { garbageCollector } from '../support/collector.ts'
import { MemoryStore } from '../support/memory-store.ts'
import { sharedHost } from './helpers.ts'

/** A policy that lets all calls run, and those with a `?` once it is told to. */
function held() {
  const asked: string[] = []
  const waits: ((verdict: Verdict) => void)[] = []
  const policy: Policy = (call) => {
    const text = call.kind === 'command' ? call.command : call.kind === 'file' ? call.path : call.code
    if (!text.includes('?')) return 'allow'
    asked.push(text)
    return new Promise((resolve) => waits.push(resolve))
  }
  const answer = async (verdict: Verdict = 'allow') => {
    await until(() => waits.length > 0)
    waits.shift()?.(verdict)
  }
  return { policy, answer, asked, decides: () => until(() => waits.length > 0) }
}

async function open(
  host: ShellHost,
  policy: Policy,
  config: OpenConfig<EngineName> = {},
  id?: string,
): Promise<HostedSandbox> {
  const given = { policy, policyTimeout: 60, ...config }
  return id === undefined ? host.open(given) : host.open(given, { id })
}

describe('while a policy decides', () => {
  it.each([
    ['worker', 'strands', 'WORKER_EXITED'],
    ['shared', 'bash', 'WORKER_EXITED'],
    ['process', 'strands', 'CELL_EXITED'],
  ] as const)('the loss of a session is told to the call (%s, %s)', async (isolation, shell, code) => {
    const workers = watchWorkers()
    const host = sharedHost({ isolation })
    const { policy, answer, decides } = held()
    const sandbox = await open(host, policy, { shell, ...(shell === 'bash' ? { checkpoint: 'never' } : {}) })
    await sandbox.execute('X=kept')
    const call = endOf(sandbox.execute(': ?; echo "$X"'))
    const next = endOf(sandbox.execute('echo "$X"'))
    await decides()
    if (isolation === 'process') for (const cell of ownCells()) process.kill(cell, 'SIGKILL')
    else await newest(workers).terminate()
    await until(() => sandbox.status === 'lost')
    await answer()
    expect(await within(60, call)).toEqual(lost(code))
    expect(await within(60, next)).toMatchObject({ exitCode: 0, stdout: '\n' })
    expect(sandbox.generation).toBe(2)
  })

  it('a bash session with a checkpoint goes on after its loss, and the call runs in it', async () => {
    const workers = watchWorkers()
    const host = sharedHost()
    const { policy, answer, decides } = held()
    const sandbox = await open(host, policy, { shell: 'bash', checkpoint: 'call' })
    await sandbox.execute('X=kept')
    const call = endOf(sandbox.execute(': ?; echo "$X"'))
    await decides()
    await newest(workers).terminate()
    await until(() => sandbox.status === 'lost')
    await answer()
    expect(await within(60, call)).toMatchObject({ exitCode: 0, stdout: 'kept\n' })
    expect(sandbox.generation).toBe(2)
  })

  it('snapshots, restores, checkpoints and a hibernation come behind the call, in their order', async () => {
    const store = new MemoryStore()
    const host = sharedHost({ hibernate: { store } })
    const { policy, answer, decides } = held()
    const sandbox = await open(host, policy, { shell: 'bash', checkpoint: 'never' }, 'a')
    await sandbox.execute('X=0')
    const before = await sandbox.snapshot()
    const ends: string[] = []
    const calls = [
      sandbox.execute('X=1; : ?').then(() => ends.push('set')),
      sandbox.checkpoint().then(() => ends.push('checkpoint')),
      sandbox.snapshot().then(() => ends.push('snapshot')),
      sandbox.restore(before).then(() => ends.push('restore')),
      sandbox.execute('echo $X').then(({ stdout }) => ends.push(stdout)),
    ]
    await decides()
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect([ends, store.done]).toEqual([[], []])
    await answer()
    await within(60, Promise.all(calls))
    expect(ends).toEqual(['set', 'checkpoint', 'snapshot', 'restore', '0\n'])
    const last = sandbox.execute('X=2; : ?')
    const hibernated = sandbox.hibernate()
    await decides()
    expect(sandbox.status).toBe('open')
    await answer()
    expect(await within(60, Promise.all([last, hibernated]))).toMatchObject([{ exitCode: 0 }, true])
    expect((await sandbox.execute('echo $X')).stdout).toBe('2\n')
  })

  it('a close ends the call and all that waits behind it', async () => {
    const host = sharedHost({ hibernate: { store: new MemoryStore() } })
    const { policy, decides, answer } = held()
    const sandbox = await open(host, policy, { shell: 'bash' }, 'a')
    await sandbox.execute('true')
    const before = await sandbox.snapshot()
    const calls = [
      sandbox.execute(': ?'),
      sandbox.snapshot(),
      sandbox.restore(before),
      sandbox.checkpoint(),
      sandbox.hibernate(),
    ].map((call) => endOf(call))
    await decides()
    await sandbox.close()
    expect(await within(60, Promise.all(calls))).toEqual(calls.map(() => closed))
    await answer()
    expect(host.stats().leased).toBe(0)
  })

  it.each([false, true])('a drain waits for the call, and stores the session: %s', async (hibernate) => {
    const store = new MemoryStore()
    const host = sharedHost({ hibernate: { store } })
    const { policy, decides, answer } = held()
    const sandbox = await open(host, policy, { shell: 'bash', checkpoint: 'never' }, 'a')
    await sandbox.execute('X=1')
    const call = sandbox.execute('X=2; : ?')
    await decides()
    const drained = host.drain({ grace: 60, hibernate })
    const late = endOf(sandbox.execute('X=3'))
    await answer()
    expect(await within(60, call)).toMatchObject({ exitCode: 0 })
    expect(await within(60, late)).toMatchObject({ exitCode: 0 })
    await within(60, drained)
    expect(await store.get('a')).toEqual(hibernate ? expect.anything() : undefined)
  })

  it('the grace of a drain ends the call, and no policy keeps the host', async () => {
    const host = sharedHost()
    const { policy, decides } = held()
    const sandbox = await open(host, policy)
    await sandbox.execute('true')
    const calls = [endOf(sandbox.execute(': ?')), endOf(sandbox.snapshot())]
    await decides()
    await within(60, host.drain({ grace: 0.05 }))
    expect(await within(60, Promise.all(calls))).toEqual([closed, closed])
  })

  it('the grace of a drain into a store ends the call, and the session is stored', async () => {
    const store = new MemoryStore()
    const host = sharedHost({ hibernate: { store } })
    const { policy, decides } = held()
    const waiting = await open(host, policy, { checkpoint: 'never' }, 'waiting')
    const running = await open(host, policy, { checkpoint: 'never' }, 'running')
    await Promise.all([waiting.execute('X=kept'), running.execute('X=lost')])
    const calls = [
      waiting.execute(': ?'),
      waiting.snapshot(),
      running.execute('sleep 60', { timeout: 61 }),
      running.execute(': ?'),
    ].map((call) => endOf(call))
    await decides()
    await within(60, host.drain({ grace: 0.1, hibernate: true }))
    expect(await within(60, Promise.all(calls))).toEqual(calls.map(() => closed))
    const next = sharedHost({ hibernate: { store } })
    const woken = await Promise.all(['waiting', 'running'].map((id) => next.getOrOpen(id)))
    const ends = await Promise.all(woken.map((sandbox) => sandbox.execute('echo "$X"')))
    expect(ends.map(({ stdout }) => stdout)).toEqual(['kept\n', '\n'])
  })

  it('a policy that drains its own host is denied in its time, and the host drains', async () => {
    const host = sharedHost()
    const sandbox = await open(
      host,
      async (): Promise<Verdict> => {
        await host.drain({ grace: 60 })
        return 'allow'
      },
      { policyTimeout: 0.1 },
    )
    expect(await within(60, sandbox.execute('true'))).toMatchObject({
      exitCode: 126,
      stderr: 'Denied by policy: A policy took longer than its limit of 0.1 s.\n',
    })
    await within(60, host.drain({ grace: 60 }))
  })
})

describe('a policy of its own sandbox', () => {
  it('waits for nothing that comes behind its call', async () => {
    const ends: unknown[] = []
    const host = sharedHost({ hibernate: { store: new MemoryStore() } })
    const sandbox: HostedSandbox = await open(
      host,
      async (): Promise<Verdict> => {
        const empty = await other.snapshot()
        ends.push(await endOf(sandbox.open()))
        for (const act of [
          () => sandbox.executeMany(['true']),
          () => sandbox.executeCode('true', 'sh'),
          () => sandbox.snapshot(),
          () => sandbox.restore(empty),
          () => sandbox.checkpoint(),
          () => sandbox.hibernate(),
          () => sandbox.changes(),
        ])
          ends.push(await endOf(act()))
        return 'allow'
      },
      { shell: 'bash' },
      'a',
    )
    const other = await host.open({ shell: 'bash' })
    expect(await within(60, sandbox.execute('exit 3'))).toMatchObject({ exitCode: 3 })
    const refused = { name: 'UnsupportedError', code: 'UNSUPPORTED' }
    expect(ends).toEqual([undefined, ...Array.from({ length: 7 }, () => refused)])
  })
})

describe('an approver that never answers', () => {
  it('lets as many calls wait as maxPending says, and those that give up leave their places', async () => {
    const host = sharedHost()
    const signals: AbortSignal[] = []
    const ask = ({ signal }: { readonly signal: AbortSignal }) => {
      signals.push(signal)
      return new Promise<boolean>(() => undefined)
    }
    const sandbox = await open(host, () => ({ ask }), { maxPending: 3, approvalTimeout: 60 })
    const stop = new AbortController()
    const first = endOf(sandbox.execute('1', { signal: stop.signal }))
    const others = [endOf(sandbox.snapshot()), endOf(sandbox.getEnv('A'))]
    const full = { name: 'SandboxLimitError', code: 'LIMIT_EXCEEDED' }
    expect(await endOf(sandbox.execute('4'))).toEqual(full)
    expect(await endOf(sandbox.snapshot())).toEqual(full)
    await until(() => signals.length === 1)
    stop.abort()
    expect(await within(60, first)).toEqual(aborted)
    expect(signals[0]?.aborted).toBe(true)
    const next = endOf(sandbox.execute('5'))
    await until(() => signals.length >= 2)
    await sandbox.close()
    expect(await within(60, Promise.all([...others, next]))).toContainEqual(closed)
    expect(signals.map(({ aborted: isAborted }) => isAborted)).not.toContain(false)
  })

  it('keeps nothing of the calls that give up behind it', async () => {
    const host = sharedHost()
    const ask = () => new Promise<boolean>(() => undefined)
    const sandbox = await open(host, () => ({ ask }), { approvalTimeout: 60 })
    void endOf(sandbox.execute('1'))
    const collect = garbageCollector()
    const heapAfter = async (calls: number) => {
      for (let call = 0; call < calls; call++)
        await endOf(sandbox.execute('2', { signal: AbortSignal.abort() }))
      collect()
      return process.memoryUsage().heapUsed
    }
    const before = await heapAfter(500)
    expect(((await heapAfter(5000)) - before) / 2 ** 20).toBeLessThan(3)
  })

  it('denies when its time is over', async () => {
    const host = sharedHost()
    const ask = () => new Promise<boolean>(() => undefined)
    const sandbox = await open(host, () => ({ ask }), { approvalTimeout: 0.05 })
    const ends = await within(60, Promise.all([sandbox.execute('1'), sandbox.execute('2')]))
    expect(ends.map(({ exitCode, stderr }) => [exitCode, stderr])).toEqual(
      [1, 2].map(() => [126, 'Denied by policy: Nobody approved the call within 0.05 s.\n']),
    )
  })
})

it('what a policy or an approver throws after its time is nobody’s error', async () => {
  const unhandled: unknown[] = []
  const note = (error: unknown) => unhandled.push(error)
  process.on('unhandledRejection', note)
  onTestFinished(() => {
    process.off('unhandledRejection', note)
  })
  let thrown = 0
  const late = async (): Promise<never> => {
    await new Promise((resolve) => setTimeout(resolve, 80))
    thrown += 1
    throw new Error('late')
  }
  const host = sharedHost()
  const told: SandboxEventMap['policy'][] = []
  host.on('policy', (event) => told.push(event))
  const limits = { policyTimeout: 0.02, approvalTimeout: 0.02 }
  const slow = await open(host, late, limits)
  const asks = await open(host, () => ({ ask: late }), limits)
  const ends = await within(60, Promise.all([slow.execute('true'), asks.execute('true')]))
  expect(ends.map(({ exitCode }) => exitCode)).toEqual([126, 126])
  await until(() => thrown === 2)
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(unhandled).toEqual([])
  expect(told.map(({ verdict, failure }) => [verdict, failure])).toEqual([
    ['deny', undefined],
    ['deny', undefined],
  ])
})

it('each command of executeMany is decided on by itself, and tells its own wait', async () => {
  const host = sharedHost()
  const waits = [40, 0, 80]
  const sandbox = await open(host, async (): Promise<Verdict> => {
    await new Promise((resolve) => setTimeout(resolve, waits.shift()))
    return 'allow'
  })
  await sandbox.open()
  const told: SandboxEventMap['command'][] = []
  sandbox.on('command', (event) => told.push(event))
  const start = performance.now()
  await sandbox.executeMany(['true', 'true', 'true'])
  const elapsed = performance.now() - start
  expect(told.map(({ endedMs }) => endedMs)).toEqual([0, 0, 0])
  expect(told[0]?.waitedMs).toBeGreaterThan(38)
  expect(told[2]?.waitedMs).toBeGreaterThan(78)
  expect(told.reduce((sum, { waitedMs, durationMs }) => sum + waitedMs + durationMs, 0)).toBeLessThan(elapsed)
})
