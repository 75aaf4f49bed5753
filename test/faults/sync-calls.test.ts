import { describe, expect, it, onTestFinished } from 'vitest'
import { StrandsShellSandbox } from '../../src/index.ts'
import { hostDirectory } from '../strands-shell/support/host-tree.ts'
import { byTier } from '../support/tier.ts'
import {
  endOf,
  failureOf,
  faultyWorker,
  lost,
  makeHost,
  printed,
  protocol,
  suiteHost,
  timedOut,
} from './helpers.ts'

/** How a synchronous call ended, as `endOf` tells it of others. */
function endOfSync(call: () => unknown): unknown {
  try {
    return call()
  } catch (error) {
    return failureOf(error)
  }
}

/** A worker that a test leaves behind is that of the next one. */
const host = suiteHost({ isolation: 'worker', workerUrl: faultyWorker })

async function openFaulty(config: ConstructorParameters<typeof StrandsShellSandbox>[0] = {}) {
  const sandbox = await StrandsShellSandbox.open(config, { host })
  onTestFinished(() => sandbox.close())
  return sandbox
}

describe('a synchronous call whose worker ends under it', () => {
  it.each(byTier({ default: ['exit', 'exit-later'], full: ['exit', 'exit-later', 'heap'] }))(
    'throws soon: %s',
    async (fault) => {
      const sandbox = await openFaulty()
      const start = performance.now()
      expect(endOfSync(() => sandbox.sync.execute(`fault ${fault}`))).toEqual(lost('WORKER_EXITED'))
      expect(performance.now() - start).toBeLessThan(50_000)
      expect([sandbox.status, sandbox.generation]).toEqual(['lost', 2])
      expect(await sandbox.execute('echo again')).toEqual(printed('again\n'))
      expect(sandbox.sync.execute('echo and again')).toEqual(printed('and again\n'))
    },
  )

  it('throws with the cause that the worker reported', async () => {
    const sandbox = await openFaulty()
    expect(endOfSync(() => sandbox.sync.execute('fault throw'))).toEqual(lost('WORKER_FAILED'))
    expect(await sandbox.execute('echo again')).toEqual(printed('again\n'))
  })

  it('rejects every pending call with the loss', async () => {
    const sandbox = await openFaulty()
    const pending = [endOf(sandbox.execute('fault exit-later')), endOf(sandbox.execute('echo b'))]
    expect(endOfSync(() => sandbox.sync.execute('echo c'))).toEqual(lost('WORKER_EXITED'))
    expect(await Promise.all(pending)).toEqual([lost('WORKER_EXITED'), lost('WORKER_EXITED')])
    expect(await sandbox.execute('echo again')).toEqual(printed('again\n'))
  })

  it('throws if the worker ended before the call, unnoticed', async () => {
    const sandbox = await openFaulty()
    await sandbox.execute('fault exit-idle')
    // The event loop stands still: nobody has seen the exit.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500)
    expect(endOfSync(() => sandbox.sync.execute('echo a'))).toEqual(lost('WORKER_EXITED'))
    expect(await sandbox.execute('echo again')).toEqual(printed('again\n'))
  })
})

describe('a synchronous call that is never answered', () => {
  it('ends by its own timeout', async () => {
    const sandbox = await openFaulty()
    const start = performance.now()
    expect(endOfSync(() => sandbox.sync.execute('fault hang', { timeout: 0.3 }))).toEqual(timedOut)
    expect(performance.now() - start).toBeLessThan(20_000)
  })

  it('ends at the deadline of the call before it, however many calls wait', async () => {
    const sandbox = await openFaulty({ timeout: 0.2 })
    const pending = ['fault hang', ...Array.from({ length: 12 }, () => 'true')].map((command) =>
      endOf(sandbox.execute(command)),
    )
    const start = performance.now()
    expect(endOfSync(() => sandbox.sync.execute('true'))).toEqual(lost('DEADLINE_IGNORED'))
    expect(performance.now() - start).toBeLessThan(10_000)
    expect(await Promise.all(pending)).toEqual(pending.map(() => lost('DEADLINE_IGNORED')))
  })

  it('ends by its deadline also where mirroring has time of its own', async () => {
    const source = await hostDirectory()
    const sandbox = await openFaulty({
      timeout: 0.2,
      binds: [{ source, destination: '/work', mode: 'direct' }],
    })
    const start = performance.now()
    expect(endOfSync(() => sandbox.sync.execute('fault hang'))).toEqual(lost('DEADLINE_IGNORED'))
    expect(performance.now() - start).toBeLessThan(20_000)
  })

  it('ends by the deadline of its session, which is lost', async () => {
    const sandbox = await openFaulty({ timeout: 1 })
    expect(endOfSync(() => sandbox.sync.execute('fault hang'))).toEqual(lost('DEADLINE_IGNORED'))
    expect(await sandbox.execute('echo again')).toEqual(printed('again\n'))
  })
})

it.each(['reject', 'throw-at-once'])(
  'what the engine throws is thrown, and the session goes on: %s',
  async (fault) => {
    const sandbox = await openFaulty()
    expect(endOfSync(() => sandbox.sync.execute(`fault ${fault}`))).toEqual(
      await endOf(sandbox.execute(`fault ${fault}`)),
    )
    expect(sandbox.sync.execute('echo on')).toEqual(printed('on\n'))
  },
)

it('an engine that panics costs the session, with its cause', async () => {
  const sandbox = await openFaulty()
  expect(endOfSync(() => sandbox.sync.execute('fault status-text'))).toEqual(
    await endOf((await openFaulty()).execute('fault status-text')),
  )
})

describe('a worker that keeps to no contract', () => {
  async function openHostile() {
    return openFaulty({ env: { HOSTILE: 'service' } })
  }

  it.each(['number', 'no-value', 'exit-code-text', 'error-null', 'conflicts-text'])(
    'costs the session with a reply of the wrong shape: %s',
    async (wrong) => {
      const sandbox = await openHostile()
      expect(endOfSync(() => sandbox.sync.execute(wrong))).toEqual(protocol)
      expect(sandbox.status).toBe('lost')
    },
  )

  it('has replies ignored that nobody waits for', async () => {
    const sandbox = await openHostile()
    expect(sandbox.sync.execute('strangers')).toEqual(printed('strangers'))
  })

  it('costs the session with a reply that this thread cannot read', async () => {
    const sandbox = await openHostile()
    expect(endOfSync(() => sandbox.sync.execute('unreadable'))).toEqual(protocol)
    expect(sandbox.status).toBe('lost')
  })

  it('cannot delay the caller’s timeout with a flood of messages', async () => {
    const sandbox = await openHostile()
    const start = performance.now()
    expect(endOfSync(() => sandbox.sync.execute('flood', { timeout: 0.3 }))).toEqual(timedOut)
    expect(performance.now() - start).toBeLessThan(20_000)
  })

  it('cannot delay the deadline of the session', async () => {
    const sandbox = await openHostile()
    expect(endOfSync(() => sandbox.sync.execute('silence'))).toEqual(lost('DEADLINE_IGNORED'))
  })
})

it('runs when other sandboxes hold every turn', async () => {
  const host = makeHost({ maxRunning: 1 })
  const [busy, queued] = [await host.open(), await host.open()]
  const running = busy.execute('sleep 5; echo busy')
  const waiting = queued.execute('X=first')
  const start = performance.now()
  expect(queued.sync.execute('echo $X')).toEqual(printed('first\n'))
  expect(performance.now() - start).toBeLessThan(4500)
  expect((await running).stdout).toBe('busy\n')
  await waiting
  expect(host.stats()).toMatchObject({ running: 0, waiting: 0 })
  onTestFinished(() => host.close())
})
