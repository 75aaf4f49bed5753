import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { strandsEngine } from '../../src/engines/strands/strands-engine.ts'
import { snapshotFormOf } from '../../src/hosted-sandbox/snapshots.ts'
import { UnsupportedError } from '../../src/sandbox/errors.ts'
import type { CallLimits } from '../../src/session/call-limits.ts'
import { run } from '../../src/session/operations.ts'
import { Session } from '../../src/session/session.ts'
import type { HeldConfig } from '../../src/session/session-config.ts'
import { MemoryStore } from '../support/memory-store.ts'
import { endOf, seconds } from './support/ends.ts'
import { FakeHost } from './support/fake-host.ts'
import { output } from './support/fake-place.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const exited = { code: 'WORKER_EXITED', message: 'it ended' } as const
const lost = ['WORKER_LOST', 'The session was lost: it ended']

/** A session of which checkpoints are kept, after its first call. */
async function opened(given: Partial<HeldConfig> = {}, holds = false, store?: MemoryStore) {
  const host = new FakeHost({ holds, ...(store === undefined ? {} : { store }) })
  const config: HeldConfig = {
    engine: strandsEngine,
    record: { ...strandsEngine.blank, credentials: [] },
    isolation: undefined,
    onInterrupt: 'keep',
    onLost: 'restore',
    checkpoints: 'call',
    maxPending: 100,
    labels: {},
    policyTimeout: 5,
    approvalTimeout: 300,
    checkpoint: { maxBytes: 100, maxText: 1000 },
    ...given,
  }
  const session = new Session(config, {
    host,
    id: 'a',
    generation: 1,
    listeners: () => undefined,
    hostCommands: () => undefined,
    policies: () => [],
    snapshots: snapshotFormOf(config),
  })
  const execute = (command: string, limits?: CallLimits) => session.call(run({ command }), limits)
  const first = execute('first')
  if (holds) host.places.push(host.opening(0).grant())
  await first
  return { host, session, execute }
}

const restores = (host: FakeHost) => host.openings.map(({ request }) => request.record.restores ?? false)

describe('a session with a checkpoint', () => {
  it('goes on in another shell, and nobody is told', async () => {
    const { host, session, execute } = await opened()
    host.place(0).handOver({ x: '1', y: '1' })
    host.place(0).handOver({ x: '2' })
    await seconds(0)
    host.place(0).lose(exited)
    expect([session.status, session.generation]).toEqual(['lost', 2])
    expect(await Promise.all([execute('2'), execute('3')])).toEqual(['2', '3'].map(output))
    expect(host.place(1).shell.calls).toEqual(['restore y=1,x=2', '2', '3'])
    expect([restores(host), session.generation]).toEqual([[false, true], 2])
    expect(host.told).toEqual([
      ['opened', 1],
      ['lost', 2, 'WORKER_EXITED'],
      ['reopened', 2],
    ])
  })

  it('goes on from what both shells have handed over', async () => {
    const { host, execute } = await opened()
    host.place(0).handOver({ x: '1' })
    await seconds(0)
    host.place(0).lose(exited)
    await execute('2')
    host.place(1).handOver({ z: '3' })
    await seconds(0)
    host.place(1).lose(exited)
    await execute('3')
    expect(host.place(2).shell.calls).toEqual(['restore x=1,z=3', '3'])
  })

  it('begins afresh, and nobody is told, where it is as a fresh one', async () => {
    const { host, execute } = await opened()
    host.place(0).lose(exited)
    expect(await execute('2')).toEqual(output('2'))
    expect([host.place(1).shell.calls, restores(host)]).toEqual([['2'], [false, false]])
  })

  it('rejects the calls that were pending, which may have half run', async () => {
    const { host, execute } = await opened()
    host.place(0).handOver({ x: '1' })
    const calls = ['wait 1', 'wait 2'].map((command) => endOf(execute(command)))
    await seconds(0)
    host.place(0).lose(exited)
    expect(await Promise.all(calls)).toEqual([lost, lost])
    expect(await execute('3')).toEqual(output('3'))
    expect(host.place(1).shell.calls).toEqual(['restore x=1', '3'])
  })

  it("is lost with onLost 'fail'", async () => {
    const { host, execute } = await opened({ onLost: 'fail' })
    host.place(0).handOver({ x: '1' })
    await seconds(0)
    host.place(0).lose(exited)
    expect([await endOf(execute('2')), await endOf(execute('3'))]).toEqual([lost, lost])
    expect(host.openings.length).toBe(1)
  })

  it("begins afresh after a reset with onInterrupt 'reset'", async () => {
    const { host, execute } = await opened({ onInterrupt: 'reset' })
    host.place(0).handOver({ x: '1' })
    const call = endOf(execute('wait', { timeout: 1 }))
    await seconds(1.1)
    expect(await call).toMatchObject(['TIMEOUT', expect.any(String)])
    await execute('2')
    expect([host.place(1).shell.calls, restores(host)]).toEqual([['2'], [false, false]])
  })

  it("goes on as before the interrupted call with onInterrupt 'restore'", async () => {
    const { host, session, execute } = await opened({ onInterrupt: 'restore' })
    host.place(0).handOver({ x: '1' })
    await execute('2')
    const call = endOf(execute('wait', { timeout: 1 }))
    // The worker was about to answer when the time had passed.
    host.place(0).handOver({ x: 'half' })
    await seconds(1.1)
    expect(await call).toMatchObject(['TIMEOUT', expect.any(String)])
    expect([await execute('3'), session.generation]).toEqual([output('3'), 2])
    expect(host.place(1).shell.calls).toEqual(['restore x=1', '3'])
  })

  it("is told once and begins afresh with onLost 'reopen'", async () => {
    const { host, execute } = await opened({ onLost: 'reopen' })
    host.place(0).handOver({ x: '1' })
    await seconds(0)
    host.place(0).lose(exited)
    expect([await endOf(execute('2')), await execute('3')]).toEqual([lost, output('3')])
    expect(restores(host)).toEqual([false, false])
  })

  it('is told once and goes on from the last checkpoint where there is not one after each call', async () => {
    const { host, execute } = await opened({ checkpoints: { every: 60 } })
    host.place(0).handOver({ x: '1' })
    await seconds(0)
    host.place(0).lose(exited)
    expect([await endOf(execute('2')), await execute('3')]).toEqual([lost, output('3')])
    expect(host.place(1).shell.calls).toEqual(['restore x=1', '3'])
  })
})

describe('a checkpoint that cannot be used', () => {
  const reportsAndBeginsAfresh = async (host: FakeHost, execute: (command: string) => Promise<unknown>) => {
    expect(await endOf(execute('2'))).toMatchObject(['WORKER_LOST', expect.any(String)])
    expect(await execute('3')).toEqual(output('3'))
    expect(restores(host).at(-1)).toBe(false)
  }

  it('is not of the contract', async () => {
    for (const part of [
      undefined,
      1,
      { last: true },
      { contents: [{}], entries: [], forgotten: [], last: true },
    ]) {
      const { host, execute } = await opened()
      host.place(0).signal({ kind: 'checkpoint', part })
      await seconds(0)
      expect(host.told.at(-1)).toEqual(['lost', 2, 'PROTOCOL'])
      await reportsAndBeginsAfresh(host, execute)
    }
  })

  it('names bytes that never came', async () => {
    const { host, execute } = await opened()
    const entries = [{ key: 'x', value: '', content: 7 }]
    host.place(0).signal({ kind: 'checkpoint', part: { contents: [], entries, forgotten: [], last: true } })
    await seconds(0)
    expect(await endOf(execute('2'))).toMatchObject(['PROTOCOL', expect.any(String)])
    expect(host.told.at(-1)).toEqual(['lost', 2, 'PROTOCOL'])
    expect([await execute('3'), restores(host)]).toEqual([output('3'), [false, false]])
  })

  it('is larger than it may be, or its worker cannot tell it', async () => {
    for (const value of ['x'.repeat(1000), null]) {
      const { host, session, execute } = await opened()
      if (value === null) host.place(0).signal({ kind: 'checkpoint', part: null })
      else host.place(0).handOver({ x: value })
      host.place(0).handOver({ y: '1' })
      await seconds(0)
      expect([session.status, await execute('on')]).toEqual(['open', output('on')])
      host.place(0).lose(exited)
      await reportsAndBeginsAfresh(host, execute)
    }
  })

  it('is refused by the new shell: that is reported once', async () => {
    const { host, session, execute } = await opened({}, true)
    host.place(0).handOver({ x: '1' })
    await seconds(0)
    host.place(0).lose(exited)
    const calls = ['2', '3'].map((command) => endOf(execute(command)))
    const place = host.opening(1).grant()
    place.shell.restores = { ok: false, error: { code: 'IO_ERROR', message: 'no room' } }
    const told = [
      'WORKER_LOST',
      'The session was lost, and its files and variables could not be restored: no room',
    ]
    expect(await Promise.all(calls)).toEqual([told, told])
    expect([place.ends, session.generation]).toEqual([['retired'], 2])
    const next = execute('4')
    const fresh = host.opening(2).grant()
    expect([await next, fresh.shell.calls, restores(host)]).toEqual([
      output('4'),
      ['4'],
      [false, true, false],
    ])
  })

  it('ends with the worker that it is put into', async () => {
    const { host, execute } = await opened({}, true)
    host.place(0).handOver({ x: '1' })
    await seconds(0)
    host.place(0).lose(exited)
    const call = endOf(execute('2'))
    const place = host.opening(1).grant()
    place.shell.restores = new Promise(() => undefined)
    await seconds(0)
    place.lose(exited)
    expect(await call).toMatchObject(['WORKER_LOST', expect.stringContaining('could not be restored')])
    const next = execute('3')
    host.opening(2).grant()
    expect(await next).toEqual(output('3'))
    expect(host.told).toEqual([
      ['opened', 1],
      ['lost', 2, 'WORKER_EXITED'],
      ['rejected', 2, 'WORKER_LOST'],
      ['reopened', 2],
    ])
  })
})

describe('a session that is closed while its checkpoint is restored', () => {
  it('rejects its calls and gives the place back', async () => {
    const { host, session, execute } = await opened({}, true)
    host.place(0).handOver({ x: '1' })
    await seconds(0)
    host.place(0).lose(exited)
    const call = endOf(execute('2'))
    const place = host.opening(1).grant()
    place.shell.restores = new Promise(() => undefined)
    await seconds(0)
    await session.close()
    expect(await call).toMatchObject(['CLOSED', expect.any(String)])
    expect([place.ends, session.status, vi.getTimerCount()]).toEqual([['retired'], 'closed', 0])
  })
})

/** What a snapshot says of a variable. */
const factsOf = (key: string, value: string) => ({ entries: [{ key, value }], contents: new Map() })

describe('a session that other facts are put into', () => {
  it('ends its calls first, and begins with them in a place of its own', async () => {
    const { host, session, execute } = await opened()
    const calls = [execute('2'), session.restore(factsOf('s', '9')), execute('3')]
    expect(await Promise.all(calls)).toEqual([output('2'), undefined, output('3')])
    expect(host.place(0).shell.calls).toEqual(['first', '2', 'checkpoint', 'close'])
    expect([host.place(0).ends, host.place(1).shell.calls]).toEqual([['released'], ['restore s=9', '3']])
    expect(host.opening(1).request.record).toMatchObject({ cwd: '/', env: [], restores: true })
    expect([session.generation, host.told]).toEqual([
      2,
      [
        ['opened', 1],
        ['reopened', 2],
      ],
    ])
  })

  it('goes on with them after a loss', async () => {
    const { host, session, execute } = await opened()
    await session.restore(factsOf('s', '9'))
    host.place(1).handOver({ x: '1' })
    await seconds(0)
    host.place(1).lose(exited)
    await execute('2')
    expect(host.place(2).shell.calls).toEqual(['restore s=9,x=1', '2'])
    expect(host.opening(2).request.record).toMatchObject({ cwd: '/', restores: true })
  })

  it('has what it had where there is no place', async () => {
    const { host, session, execute } = await opened({}, true)
    host.place(0).handOver({ x: '1' })
    await seconds(0)
    const calls = [session.restore(factsOf('s', '9')), execute('2')].map(endOf)
    await seconds(0)
    host.opening(1).refuse(new UnsupportedError('no place'))
    expect(await Promise.all(calls)).toMatchObject([
      ['UNSUPPORTED', 'no place'],
      ['UNSUPPORTED', 'no place'],
    ])
    const next = execute('3')
    const place = host.opening(2).grant()
    expect([await next, place.shell.calls]).toEqual([output('3'), ['restore x=1', '3']])
    expect(session.status).toBe('open')
  })

  it('rejects and keeps what it has where they are too large', async () => {
    const { host, session } = await opened()
    await expect(session.restore(factsOf('s', '9'.repeat(1000)))).rejects.toMatchObject({
      fault: 'too-large',
    })
    expect([host.openings.length, session.generation]).toEqual([1, 1])
  })

  it('closes in the middle', async () => {
    const { host, session, execute } = await opened({}, true)
    const calls = [session.restore(factsOf('s', '9')), execute('2')].map(endOf)
    await seconds(0)
    await session.close()
    const closed = ['CLOSED', expect.any(String)]
    expect(await Promise.all(calls)).toMatchObject([closed, closed])
    expect([host.registered, session.status, vi.getTimerCount()]).toEqual([0, 'closed', 0])
  })
})

describe('a session that hibernates', () => {
  it('takes one checkpoint behind the calls that are pending', async () => {
    const store = new MemoryStore()
    const { host, session, execute } = await opened({ checkpoints: 'never' }, false, store)
    const calls = [execute('2'), execute('3')]
    const asleep = session.hibernateWhenIdle()
    expect([await Promise.all(calls), await asleep]).toEqual([['2', '3'].map(output), true])
    expect(host.place(0).shell.calls).toEqual(['first', '2', '3', 'checkpoint', 'close'])
    expect(store.done).toEqual(['put a'])
  })

  it('takes another one where a call goes on behind the first', async () => {
    const store = new MemoryStore()
    const { host, session, execute } = await opened({ checkpoints: 'never' }, false, store)
    const call = execute('wait')
    await seconds(0)
    const asleep = session.hibernateWhenIdle()
    await seconds(0)
    host.place(0).shell.answer('wait')
    await call
    expect([await asleep, session.isHibernated]).toEqual([false, false])
    expect(await session.hibernateWhenIdle()).toBe(true)
    expect(host.place(0).shell.calls).toEqual(['first', 'wait', 'checkpoint', 'checkpoint', 'close'])
  })

  it('is asked once where a checkpoint is due after a call, and another one is wanted', async () => {
    const store = new MemoryStore()
    const { host, session, execute } = await opened({}, false, store)
    await session.keep()
    await session.keep()
    expect(host.place(0).shell.calls).toEqual(['first', 'checkpoint'])
    host.place(0).handOver({ x: '2' })
    await Promise.all([execute('2'), session.keep()])
    await seconds(0)
    expect(host.place(0).shell.calls).toEqual(['first', 'checkpoint', '2', 'checkpoint'])
    expect(await session.hibernateWhenIdle()).toBe(true)
    expect(host.place(0).shell.calls).toEqual(['first', 'checkpoint', '2', 'checkpoint', 'close'])
    expect(store.done).toEqual(['put a', 'put a'])
  })

  it('is asked again after a checkpoint that the store did not take', async () => {
    const store = new MemoryStore()
    const { host, session, execute } = await opened({}, false, store)
    await session.keep()
    store.failure = new Error('full')
    host.place(0).handOver({ x: '2' })
    await execute('2')
    await expect(session.keep()).rejects.toThrow('full')
    store.failure = undefined
    store.done.length = 0
    await session.keep()
    expect(store.done).toEqual(['put a'])
    expect(await session.hibernateWhenIdle()).toBe(true)
    expect(store.done).toEqual(['put a'])
  })
})
