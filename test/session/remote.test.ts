import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { LossData } from '../../src/contract/errors.ts'
import type { ConflictData } from '../../src/contract/shell-api.ts'
import { CommandLimiter } from '../../src/host/command-limiter.ts'
import type { CallLimits } from '../../src/session/call-limits.ts'
import { LeaseCalls } from '../../src/session/lease-calls.ts'
import { getEnv, run } from '../../src/session/operations.ts'
import { Remote } from '../../src/session/remote.ts'
import type { Supervision } from '../../src/session/supervision.ts'
import { endOf, seconds } from './support/ends.ts'
import { FakePlace, outcome, output } from './support/fake-place.ts'

beforeEach(() => void vi.useFakeTimers())
// A spy on a fake timer is taken off before the real timers come back.
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

/** A remote whose shell is in no worker, and what its lease was told. */
function connected(supervision: Partial<Supervision> = {}) {
  const { shell, far, endpoint } = new FakePlace()
  const losses: (readonly [LossData['code'], reported: boolean])[] = []
  const conflicts: ConflictData[] = []
  const calls = new LeaseCalls(endpoint, {
    commandTimeout: 30,
    allowance: 0,
    maxPending: 100,
    commandLimiter: new CommandLimiter(8).turns(),
    onInterrupt: 'keep',
    interrupt: () => undefined,
    endsStuck: false,
    onCheckpoint: undefined,
    onAnswered: () => true,
    onLost: ({ code }, reported) => losses.push([code, reported]),
    onEgress: () => undefined,
    onConflicts: (met) => conflicts.push(...met),
    streaming: true,
    hostCommands: () => undefined,
    onClosed: () => undefined,
    ...supervision,
  })
  const remote = new Remote(calls)
  const execute = (command: string, limits?: CallLimits) => remote.call(run({ command }), limits)
  return { shell, far, endpoint, losses, conflicts, calls, remote, execute }
}

/** How a call has ended by now; undefined while it is pending. */
function watched(call: Promise<unknown>): { end?: unknown } {
  const seen: { end?: unknown } = {}
  void endOf(call).then((end) => {
    seen.end = end
  })
  return seen
}

const timedOut = (timeout: number) => ['TIMEOUT', `The call did not end within its timeout of ${timeout} s.`]
const aborted = ['ABORTED', "The call's signal was aborted."]

describe('a reply', () => {
  it('settles its call, in whatever order replies come', async () => {
    const { shell, execute } = connected()
    const calls = ['wait 1', 'wait 2', '3'].map((command) => watched(execute(command)))
    await seconds(0)
    expect([shell.calls, calls]).toEqual([
      ['wait 1', 'wait 2', '3'],
      [{}, {}, { end: output('3') }],
    ])
    shell.answer('wait 2')
    await seconds(0)
    expect(calls).toEqual([{}, { end: output('wait 2') }, { end: output('3') }])
    shell.answer('wait 1')
    await seconds(0)
    expect(calls[0]).toEqual({ end: output('wait 1') })
  })

  it('that is an error as data rejects its call, and the session goes on', async () => {
    const { shell, execute, losses } = connected()
    const failed = endOf(execute('wait'))
    await seconds(0)
    shell.answer('wait', { ok: false, error: { code: 'IO_ERROR', message: 'no space', path: '/a' } })
    expect([await failed, await execute('2'), losses]).toEqual([['IO_ERROR', 'no space'], output('2'), []])
  })

  it('that says that the session is over costs it, and rejects every other call', async () => {
    const { shell, execute, losses } = connected()
    const ends = ['wait 1', 'wait 2'].map((command) => endOf(execute(command)))
    await seconds(0)
    const loss = { code: 'ENGINE_PANIC', message: 'it panicked' }
    shell.answer('wait 1', { ok: false, error: { code: 'WORKER_LOST', message: 'it panicked', loss } })
    const lost = ['WORKER_LOST', expect.stringContaining('it panicked')]
    expect([await Promise.all(ends), await endOf(execute('3'))]).toEqual([[lost, lost], lost])
    expect(losses).toEqual([['ENGINE_PANIC', true]])
  })

  it.each([
    ['no outcome', 'text'],
    ['a value of another shape', { ok: true, value: { exitCode: '0' } }],
    ['an error of another shape', { ok: false, error: { code: 'NO_SUCH', message: 'a' } }],
    ['conflicts of another shape', { ok: true, value: output('a'), conflicts: [{ path: 1 }] }],
  ])('that is %s is a PROTOCOL error, and costs the session', async (_, reply) => {
    const { shell, execute, losses, conflicts } = connected()
    const ends = ['wait 1', 'wait 2'].map((command) => endOf(execute(command)))
    await seconds(0)
    shell.answer('wait 1', reply)
    expect(await Promise.all(ends)).toEqual([
      ['PROTOCOL', expect.stringContaining("The worker's reply to 'run' is not of the contract's shape.")],
      ['WORKER_LOST', expect.stringContaining("The worker's reply to 'run' is not of the contract's shape.")],
    ])
    expect([losses, conflicts]).toEqual([[['PROTOCOL', true]], []])
  })

  it('tells of conflicts before its call settles, also where the call fails', async () => {
    const conflict = { path: '/work/a', hostPath: '/srv/a' }
    const { shell, execute, conflicts } = connected()
    const seen = endOf(execute('wait')).then((end) => [end, [...conflicts]])
    await seconds(0)
    const error = { code: 'IO_ERROR', message: 'no space', path: '/a' }
    shell.answer('wait', { ok: false, error, conflicts: [conflict] })
    expect(await seen).toEqual([['IO_ERROR', 'no space'], [conflict]])
  })

  it('that comes after its caller was answered changes nothing', async () => {
    const { shell, execute, conflicts, losses } = connected()
    const call = watched(execute('wait', { timeout: 1 }))
    await seconds(1.1)
    expect(call).toEqual({ end: timedOut(1) })
    shell.answer('wait', outcome('late', [{ path: '/work/a', hostPath: '/srv/a' }]))
    await seconds(0)
    expect([call, losses, conflicts.length]).toEqual([{ end: timedOut(1) }, [], 1])
    expect(await execute('2')).toEqual(output('2'))
  })
})

describe('a call that is interrupted', () => {
  it('rejects at its timeout and is cancelled in the worker', async () => {
    const { shell, execute, losses } = connected()
    const [first, second] = [watched(execute('wait 1', { timeout: 2 })), watched(execute('wait 2'))]
    await seconds(1.9)
    expect([first, shell.calls]).toEqual([{}, ['wait 1', 'wait 2']])
    await seconds(0.2)
    expect([first, second, losses]).toEqual([{ end: timedOut(2) }, {}, []])
    expect(shell.calls).toEqual(['wait 1', 'wait 2', 'cancel 1'])
  })

  it('takes a reply that came while the event loop stood still', async () => {
    const { shell, execute } = connected()
    const call = watched(execute('wait', { timeout: 1 }))
    await seconds(0)
    shell.answer('wait')
    vi.advanceTimersToNextTimer()
    await seconds(0)
    expect(call).toEqual({ end: output('wait') })
  })

  it('rejects when its signal fires, and sends nothing for a signal that has fired', async () => {
    const { shell, execute } = connected()
    const abort = new AbortController()
    const call = watched(execute('wait', { signal: abort.signal }))
    await seconds(0)
    abort.abort()
    await seconds(0)
    expect([call, await endOf(execute('2', { signal: abort.signal }))]).toEqual([{ end: aborted }, aborted])
    expect(shell.calls).toEqual(['wait', 'cancel 1'])
  })

  it("costs the session at once with onInterrupt 'reset', where it is the one that runs", async () => {
    const { shell, execute, losses } = connected({ onInterrupt: 'reset' })
    const calls = [watched(execute('wait 1', { timeout: 1 })), watched(execute('wait 2'))]
    await seconds(1.1)
    const reset = `The session was lost: A call was interrupted: ${timedOut(1)[1]}`
    expect(calls).toEqual([{ end: timedOut(1) }, { end: ['WORKER_LOST', reset] }])
    expect([losses, shell.calls]).toEqual([[['RESET', true]], ['wait 1', 'wait 2']])
  })

  it("keeps the session with onInterrupt 'reset', where the worker takes it out of its queue", async () => {
    const { shell, execute, losses } = connected({ onInterrupt: 'reset' })
    shell.queued = true
    const calls = [watched(execute('wait 1')), watched(execute('wait 2', { timeout: 1 }))]
    await seconds(1.1)
    expect([calls, losses]).toEqual([[{}, { end: timedOut(1) }], []])
    expect(shell.calls).toEqual(['wait 1', 'wait 2', 'cancel 2'])
  })

  it("costs the session with onInterrupt 'reset', where it has begun meanwhile", async () => {
    const { execute, losses } = connected({ onInterrupt: 'reset' })
    const calls = [watched(execute('wait 1')), watched(execute('wait 2', { timeout: 1 }))]
    await seconds(1.1)
    expect([calls[1], losses]).toEqual([{ end: timedOut(1) }, [['RESET', true]]])
  })

  it('is never sent where it waits to run commands', async () => {
    const commandLimiter = new CommandLimiter(1).turns()
    const busy = connected({ commandLimiter })
    const waiting = connected({ commandLimiter, onInterrupt: 'reset' })
    const blocker = busy.execute('wait')
    const call = watched(waiting.execute('1', { timeout: 1 }))
    await seconds(1.1)
    expect([call, waiting.losses, commandLimiter.waiting]).toEqual([{ end: timedOut(1) }, [], 0])
    busy.shell.answer('wait')
    expect([await blocker, await waiting.execute('2')]).toEqual([output('wait'), output('2')])
    expect(waiting.shell.calls).toEqual(['2'])
  })
})

describe('the session', () => {
  it('is lost two seconds after a command ignored its deadline', async () => {
    const { execute, losses } = connected({ commandTimeout: 5 })
    const call = watched(execute('wait'))
    await seconds(6.9)
    expect([call, losses]).toEqual([{}, []])
    await seconds(0.2)
    const message = 'The session was lost: The engine ignored its deadline of 5 s by more than 2 s.'
    expect([call, losses]).toEqual([{ end: ['WORKER_LOST', message] }, [['DEADLINE_IGNORED', true]]])
  })

  it('takes maxPending calls at once', async () => {
    const { shell, execute, remote } = connected({ maxPending: 1 })
    const first = execute('wait')
    await seconds(0)
    expect(await endOf(remote.call(getEnv('A')))).toEqual([
      'LIMIT_EXCEEDED',
      '1 calls are pending on this sandbox (maxPending: 1). Wait for some of them.',
    ])
    shell.answer('wait')
    await first
    expect([await remote.call(getEnv('A')), shell.calls]).toEqual([null, ['wait', 'getEnv A']])
  })

  it('keeps the process alive only while a call is pending', async () => {
    const { shell, execute, endpoint } = connected()
    expect(endpoint.isReferenced).toBe(false)
    const calls = [execute('wait 1'), execute('wait 2')]
    await seconds(0)
    shell.answer('wait 1')
    await calls[0]
    expect(endpoint.isReferenced).toBe(true)
    shell.answer('wait 2')
    await calls[1]
    expect(endpoint.isReferenced).toBe(false)
  })

  it.each([
    ['before', true],
    ['after', false],
  ])(
    'keeps the process alive while a call is pending that was made %s the endpoint closed',
    async (_, early) => {
      const { far, execute } = connected()
      const calls = early ? [execute('wait', { timeout: 1 })] : []
      await seconds(0)
      const timers = vi.spyOn(globalThis, 'setTimeout')
      far.close()
      await seconds(0)
      const [timer] = timers.mock.results.map(({ value }) => value)
      timers.mockRestore()
      expect(timer.hasRef()).toBe(early)
      if (!early) calls.push(execute('wait', { timeout: 1 }))
      expect(timer.hasRef()).toBe(true)
      const ends = calls.map((call) => endOf(call))
      await seconds(1.1)
      expect([await Promise.all(ends), timer.hasRef()]).toEqual([[timedOut(1)], false])
    },
  )

  it('is lost when a message cannot be read', async () => {
    const { endpoint, execute, losses } = connected()
    const call = endOf(execute('wait'))
    endpoint.emit('messageerror', new Error('bad data'))
    expect([await call, losses]).toEqual([
      ['WORKER_LOST', 'The session was lost: A message of the worker could not be read: bad data'],
      [['PROTOCOL', true]],
    ])
  })

  it('is lost unreported when the worker says so and no call is pending', async () => {
    const { far, losses, execute } = connected()
    const loss = { code: 'HEAP_EXHAUSTED', message: 'no memory' }
    for (const signal of [
      { kind: 'lost', loss: { code: 'NO_SUCH', message: 'a' } },
      { kind: 'lost', loss },
    ]) {
      far.postMessage({ signal })
    }
    await seconds(0)
    expect([losses, await endOf(execute('1'))]).toEqual([
      [['HEAP_EXHAUSTED', false]],
      ['MEMORY_LIMIT', 'The session was lost: no memory'],
    ])
  })
})

describe('release', () => {
  it.each([true, false])('says what the worker answers: %j', async (free) => {
    const { shell, remote, endpoint } = connected()
    shell.free = free
    const released = remote.release()
    expect(endpoint.isReferenced).toBe(true)
    expect([await released, shell.calls]).toEqual([free, ['close']])
  })
})
