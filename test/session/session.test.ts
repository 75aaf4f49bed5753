import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ConflictData } from '../../src/contract/shell-api.ts'
import { strandsEngine } from '../../src/engines/strands/strands-engine.ts'
import type { CloseReason } from '../../src/host/end-reasons.ts'
import { HostSaturatedError } from '../../src/sandbox/errors.ts'
import type { CallLimits } from '../../src/session/call-limits.ts'
import { run } from '../../src/session/operations.ts'
import { Session } from '../../src/session/session.ts'
import type { SessionConfig } from '../../src/session/session-config.ts'
import { saturation } from '../support/saturation.ts'
import { endOf, refusalOf, seconds } from './support/ends.ts'
import { FakeHost } from './support/fake-host.ts'
import { outcome, output } from './support/fake-place.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllEnvs()
})

const record = { ...strandsEngine.blank, credentials: [] }

/** A session on a host without workers. */
function sessionOn(host: FakeHost, config: Partial<SessionConfig> = {}, generation = 1) {
  const conflicts: ConflictData[][] = []
  host.events.on('conflict', ({ path, hostPath, kept }) =>
    conflicts.push([{ path, hostPath, ...(kept === undefined ? {} : { kept }) }]),
  )
  const session = new Session(
    {
      engine: strandsEngine,
      record,
      isolation: undefined,
      onInterrupt: 'keep',
      onLost: 'reopen',
      checkpoints: 'never',
      maxPending: 100,
      labels: {},
      policyTimeout: 5,
      approvalTimeout: 300,
      ...config,
    },
    {
      host,
      id: 'a',
      generation,
      listeners: () => undefined,
      hostCommands: () => undefined,
      policies: () => [],
    },
  )
  const execute = (command: string, limits?: CallLimits) => session.call(run({ command }), limits)
  return { session, execute, conflicts }
}

/** Lets microtasks run until the session is open; callers that wait for it have not gone on then. */
async function justOpen(session: Session): Promise<void> {
  for (let turn = 0; session.status !== 'open'; turn++) {
    if (turn > 1000) throw new Error('the session does not open')
    await Promise.resolve()
  }
}

const exited = { code: 'WORKER_EXITED', message: 'it ended' } as const
const lost = ['WORKER_LOST', 'The session was lost: it ended']
const closed = ['CLOSED', 'This sandbox is closed. Open a new one.']

describe('opening', () => {
  it('opens one lease for calls that come at once, and makes them in their order', async () => {
    const host = new FakeHost({ holds: true })
    const { session, execute } = sessionOn(host)
    expect([session.status, session.pending, host.registered]).toEqual(['new', 0, 0])
    const opened = session.open()
    const calls = ['1', '2', '3'].map((command) => execute(command))
    expect([session.status, session.pending, host.registered]).toEqual(['opening', 4, 1])
    const place = host.opening(0).grant()
    await opened
    expect(await Promise.all(calls)).toEqual(['1', '2', '3'].map(output))
    expect([host.openings.length, place.shell.calls]).toEqual([1, ['1', '2', '3']])
    expect([session.status, session.pending, session.generation]).toEqual(['open', 0, 1])
  })

  it('lets no later call overtake those that waited for the opening', async () => {
    const host = new FakeHost()
    const { session, execute } = sessionOn(host)
    const early = ['1', '2'].map((command) => execute(command))
    await justOpen(session)
    await Promise.all([...early, execute('3')])
    expect([host.openings.length, host.place(0).shell.calls]).toEqual([1, ['1', '2', '3']])
  })

  it('opens nothing where there is a session', async () => {
    const host = new FakeHost()
    const { session } = sessionOn(host)
    await session.open()
    await session.open()
    expect([host.openings.length, host.told]).toEqual([1, [['opened', 1]]])
  })

  it('rejects all callers when the opening fails, and opens again for the next call', async () => {
    const host = new FakeHost({ holds: true })
    const { session, execute } = sessionOn(host)
    const ends = [endOf(execute('1')), endOf(session.open())]
    host.opening(0).refuse(new HostSaturatedError('full', { saturation }))
    expect(await Promise.all(ends)).toEqual([
      ['HOST_SATURATED', 'full'],
      ['HOST_SATURATED', 'full'],
    ])
    expect([session.status, session.generation]).toEqual(['new', 1])
    const call = execute('2')
    host.opening(1).grant()
    expect(await call).toEqual(output('2'))
    expect(host.told).toEqual([
      ['rejected', 1, 'HOST_SATURATED'],
      ['opened', 1],
    ])
  })

  it('reads the credentials again at each opening', async () => {
    const url = 'https://example.com/'
    const host = new FakeHost()
    const { session, execute } = sessionOn(host, {
      record: { ...record, credentials: [{ url, envVar: 'SESSION_TEST_TOKEN' }] },
    })
    vi.stubEnv('SESSION_TEST_TOKEN', undefined)
    expect(await endOf(execute('1'))).toEqual([
      'INVALID_CONFIG',
      expect.stringContaining('credentials[0].envVar'),
    ])
    expect([session.status, host.openings]).toEqual(['new', []])
    vi.stubEnv('SESSION_TEST_TOKEN', 'first')
    await execute('2')
    vi.stubEnv('SESSION_TEST_TOKEN', 'second')
    await execute('3')
    host.place(0).lose(exited)
    await endOf(execute('4'))
    await execute('5')
    expect(host.openings.map(({ request }) => request.record.credentials)).toEqual([
      [{ url, token: 'first' }],
      [{ url, token: 'second' }],
    ])
  })

  it('counts generations from that of its owner', async () => {
    const host = new FakeHost()
    const { session } = sessionOn(host, {}, 3)
    expect(session.generation).toBe(3)
    await session.open()
    host.place(0).lose(exited)
    expect(session.generation).toBe(4)
  })
})

describe('a caller that leaves while the sandbox opens', () => {
  const late = ['TIMEOUT', "The call's timeout passed while its sandbox opened."]
  const aborted = ['ABORTED', "The call's signal was aborted."]

  it('is answered at its timeout, and the opening goes on', async () => {
    const host = new FakeHost({ holds: true })
    const { session, execute } = sessionOn(host)
    const end = vi.fn()
    void endOf(execute('1', { timeout: 2 })).then(end)
    await seconds(1.9)
    expect(end).not.toHaveBeenCalled()
    await seconds(0.2)
    expect(end.mock.calls).toEqual([[late]])
    expect([session.status, session.pending, vi.getTimerCount()]).toEqual(['opening', 0, 0])
    const place = host.opening(0).grant()
    expect(await execute('2')).toEqual(output('2'))
    expect([host.openings.length, place.shell.calls]).toEqual([1, ['2']])
  })

  it('is answered when its signal fires, and the others go on', async () => {
    const host = new FakeHost({ holds: true })
    const { session, execute } = sessionOn(host)
    const abort = new AbortController()
    const leaves = endOf(execute('1', { signal: abort.signal }))
    const stays = execute('2')
    abort.abort()
    expect(await leaves).toEqual(aborted)
    const place = host.opening(0).grant()
    expect([await stays, place.shell.calls]).toEqual([output('2'), ['2']])
    expect(await endOf(session.open({ signal: abort.signal }))).toBeUndefined()
    expect(await endOf(execute('3', { signal: abort.signal }))).toEqual(aborted)
  })

  it('opens nothing for a signal that has fired', async () => {
    const host = new FakeHost()
    const { execute } = sessionOn(host)
    expect(await endOf(execute('1', { signal: AbortSignal.abort() }))).toEqual(aborted)
    expect(host.openings).toEqual([])
  })

  it('has what is left of its timeout for the call itself', async () => {
    const host = new FakeHost({ holds: true })
    const { execute } = sessionOn(host)
    const end = vi.fn()
    void endOf(execute('wait', { timeout: 10 })).then(end)
    await seconds(6)
    host.opening(0).grant()
    await seconds(3.9)
    expect(end).not.toHaveBeenCalled()
    await seconds(0.2)
    expect(end.mock.calls).toEqual([[['TIMEOUT', expect.any(String)]]])
  })

  it('withdraws a request that waits in the queue when it is the last one', async () => {
    const host = new FakeHost({ holds: true })
    const { session, execute } = sessionOn(host)
    const abort = new AbortController()
    const first = endOf(execute('1', { signal: abort.signal }))
    const second = endOf(execute('2', { timeout: 5 }))
    const { request } = host.opening(0)
    request.queued = true
    abort.abort()
    expect(await first).toEqual(aborted)
    expect([request.signal.aborted, session.status]).toEqual([false, 'opening'])
    await seconds(5)
    expect(await second).toEqual(late)
    expect([request.withdrawn, request.signal.aborted, session.status]).toEqual([true, true, 'new'])
    const third = execute('3')
    host.opening(1).grant()
    expect([await third, session.generation]).toEqual([output('3'), 1])
    expect(host.told).toEqual([['opened', 1]])
  })

  it('leaves a request in the queue that another caller waits for', async () => {
    const host = new FakeHost({ holds: true })
    const { execute } = sessionOn(host)
    const leaves = endOf(execute('1', { timeout: 1 }))
    const stays = execute('2')
    const { request } = host.opening(0)
    request.queued = true
    await seconds(1)
    expect([await leaves, request.signal.aborted]).toEqual([late, false])
    request.queued = false
    host.opening(0).grant()
    expect([await stays, host.openings.length]).toEqual([output('2'), 1])
  })
})

describe('a lost session', () => {
  it('rejects the pending calls, and the next call opens a new one', async () => {
    const host = new FakeHost()
    const { session, execute } = sessionOn(host)
    const ends = ['wait 1', 'wait 2'].map((command) => endOf(execute(command)))
    await seconds(0)
    host.place(0).lose(exited)
    expect(await Promise.all(ends)).toEqual([lost, lost])
    expect([session.status, session.generation]).toEqual(['lost', 2])
    expect(await execute('3')).toEqual(output('3'))
    expect([session.status, session.generation, host.places.length]).toEqual(['open', 2, 2])
    expect(host.told).toEqual([
      ['opened', 1],
      ['lost', 2, 'WORKER_EXITED'],
      ['reopened', 2],
    ])
  })

  it('is reported to exactly one call where none was pending', async () => {
    const host = new FakeHost()
    const { session, execute } = sessionOn(host)
    await session.open()
    host.place(0).lose(exited)
    const ends = ['1', '2', '3'].map((command) => endOf(execute(command)))
    expect(await Promise.all(ends)).toEqual([lost, output('2'), output('3')])
    expect([session.generation, host.places.length, host.place(1).shell.calls]).toEqual([2, 2, ['2', '3']])
  })

  it('is reported by open() as by any call', async () => {
    const host = new FakeHost()
    const { session } = sessionOn(host)
    await session.open()
    host.place(0).lose(exited)
    expect([await endOf(session.open()), await endOf(session.open())]).toEqual([lost, undefined])
  })

  it("rejects every further call with onLost 'fail'", async () => {
    const host = new FakeHost()
    const { session, execute } = sessionOn(host, { onLost: 'fail' })
    await session.open()
    host.place(0).lose(exited)
    for (let call = 0; call < 3; call++) expect(await endOf(execute('1'))).toEqual(lost)
    expect([session.status, session.generation, host.openings.length]).toEqual(['lost', 2, 1])
    await session.close()
    expect(await endOf(execute('1'))).toEqual(closed)
  })
})

describe('closing', () => {
  it.each<[CloseReason, string]>([
    ['closed', 'This sandbox is closed. Open a new one.'],
    ['idle', 'This sandbox is closed: nobody used it for the idleTimeout of its host. Open a new one.'],
    ['lifetime', 'This sandbox is closed: it had the maxLifetime of its host. Open a new one.'],
    ['drained', 'This sandbox is closed: its host was drained. Open a new one.'],
  ])('says in errors that the reason was %j', async (reason, message) => {
    const host = new FakeHost()
    const { session, execute } = sessionOn(host)
    await session.open()
    await session.close(reason)
    expect([await endOf(execute('1')), refusalOf(() => session.block(run({ command: '1' })))]).toEqual([
      ['CLOSED', message],
      ['CLOSED', message],
    ])
    expect(host.told).toEqual([
      ['opened', 1],
      ['closed', 1, reason],
    ])
  })

  it('rejects the pending calls and gives the place back, once', async () => {
    const host = new FakeHost()
    const { session, execute } = sessionOn(host)
    const pending = endOf(execute('wait'))
    await seconds(0)
    const closing = session.close()
    expect(session.close('idle')).toBe(closing)
    await closing
    expect(await pending).toEqual(['CLOSED', 'The sandbox was closed.'])
    expect([session.status, session.pending, host.registered]).toEqual(['closed', 0, 0])
    expect([host.place(0).shell.calls, host.place(0).ends]).toEqual([['wait', 'close'], ['released']])
    expect(host.told).toEqual([
      ['opened', 1],
      ['closed', 1, 'closed'],
    ])
  })

  it('withdraws the request while the sandbox opens', async () => {
    const host = new FakeHost({ holds: true })
    const { session, execute } = sessionOn(host)
    const pending = endOf(execute('1'))
    await session.close()
    expect(await pending).toEqual(['CLOSED', 'The sandbox was closed while it opened.'])
    expect([host.opening(0).request.withdrawn, session.status, host.told]).toEqual([true, 'closed', []])
  })

  it('retires a place that was granted as the session was closed', async () => {
    const host = new FakeHost({ holds: true })
    const { session, execute } = sessionOn(host)
    const pending = endOf(execute('1'))
    const place = host.opening(0).grant()
    await session.close()
    expect(await pending).toEqual(closed)
    expect([place.endpoint.isClosed, place.ends, place.shell.calls]).toEqual([true, ['retired'], []])
  })

  it('registers nowhere and opens nothing where no call was made', async () => {
    const host = new FakeHost()
    const { session, execute } = sessionOn(host)
    await session.close()
    expect(await endOf(execute('1'))).toEqual(closed)
    expect([host.registered, host.openings, host.told]).toEqual([0, [], []])
  })
})

describe('abandoning', () => {
  it('retires the place without asking the worker', async () => {
    const host = new FakeHost()
    const { session, execute } = sessionOn(host)
    await session.open()
    session.abandon()
    session.abandon()
    await session.close()
    await seconds(0)
    expect([session.status, host.registered, await endOf(execute('1'))]).toEqual(['closed', 0, closed])
    const { endpoint, shell, ends } = host.place(0)
    expect([endpoint.isClosed, shell.calls, ends]).toEqual([true, [], ['retired']])
    expect(host.told).toEqual([
      ['opened', 1],
      ['closed', 1, 'dropped'],
    ])
  })

  it('withdraws the request while the sandbox opens', async () => {
    const host = new FakeHost({ holds: true })
    const { session } = sessionOn(host)
    const pending = endOf(session.open())
    session.abandon()
    expect(await pending).toEqual(['CLOSED', 'The sandbox was closed while it opened.'])
    expect([host.opening(0).request.withdrawn, host.registered]).toEqual([true, 0])
  })
})

it('tells its owner of the conflicts of a call before the call settles', async () => {
  const conflict = { path: '/work/a', hostPath: '/srv/a', kept: '/work/a.host' }
  const host = new FakeHost()
  const { execute, conflicts } = sessionOn(host)
  const seen = execute('wait').then(() => [...conflicts])
  await seconds(0)
  host.place(0).shell.answer('wait', outcome('a', [conflict]))
  expect(await seen).toEqual([[conflict]])
  await execute('2')
  expect(conflicts).toEqual([[conflict]])
})

describe('block', () => {
  // A call that is not refused would block the thread until its timeout, by the real clock.
  beforeEach(() => void vi.useRealTimers())
  const block = (session: Session) => session.block(run({ command: 'true' }), { timeout: 0.01 })
  const needsOpen = (status: string) => [
    'UNSUPPORTED',
    `Synchronous calls need an open sandbox, but this one's status is '${status}'. Await its open() first.`,
  ]

  it('refuses a call before the sandbox is open', async () => {
    const host = new FakeHost({ holds: true })
    const { session } = sessionOn(host)
    expect(refusalOf(() => block(session))).toEqual(needsOpen('new'))
    const opened = session.open()
    expect(refusalOf(() => block(session))).toEqual(needsOpen('opening'))
    host.opening(0).grant()
    await opened
    expect([session.pending, host.openings.length]).toEqual([0, 1])
  })

  it('refuses a call while earlier calls wait for the opening', async () => {
    const { session, execute } = sessionOn(new FakeHost())
    const early = execute('1')
    await justOpen(session)
    expect(refusalOf(() => block(session))).toEqual([
      'UNSUPPORTED',
      'Earlier calls still wait for this sandbox to open. Await its open() first.',
    ])
    await early
  })

  it('reports a loss once, then refuses calls until the sandbox is open again', async () => {
    const host = new FakeHost()
    const { session } = sessionOn(host)
    await session.open()
    host.place(0).lose(exited)
    expect(refusalOf(() => block(session))).toEqual(lost)
    expect(refusalOf(() => block(session))).toEqual(needsOpen('lost'))
    expect(await endOf(session.open())).toBeUndefined()
    expect(session.generation).toBe(2)
  })

  it('refuses every call in another process', async () => {
    const { session } = sessionOn(new FakeHost({ isolation: 'process' }))
    await session.open()
    expect(refusalOf(() => block(session))).toEqual([
      'UNSUPPORTED',
      expect.stringContaining("this one's isolation is 'process'"),
    ])
    expect(session.pending).toBe(0)
  })
})
