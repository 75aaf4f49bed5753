import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { LossData } from '../../src/contract/errors.ts'
import { CommandLimiter } from '../../src/host/command-limiter.ts'
import { Lease } from '../../src/session/lease.ts'
import { run } from '../../src/session/operations.ts'
import { endOf, seconds, told } from './support/ends.ts'
import { FakePlace } from './support/fake-place.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const exited: LossData = { code: 'WORKER_EXITED', message: 'it ended' }
const lost = ['WORKER_LOST', 'The session was lost: it ended']

/** A lease of a place in no worker, and the losses that its session was told of. */
function leased() {
  const place = new FakePlace()
  const losses: LossData[] = []
  const lease = new Lease(place, {
    maxPending: 100,
    onInterrupt: 'keep',
    commandLimiter: new CommandLimiter(8).turns(),
    onEgress: () => undefined,
    onConflicts: () => undefined,
    onCheckpoint: () => true,
    onAnswered: () => true,
    hostCommands: () => undefined,
    onLost: (loss) => losses.push(loss),
  })
  const execute = (command: string) => lease.remote.call(run({ command }))
  return { place, losses, lease, execute }
}

describe('close', () => {
  it('gives the place back where the worker says that no native call is in flight', async () => {
    const { place, lease, losses, execute } = leased()
    const pending = endOf(execute('wait'))
    await seconds(0)
    await lease.close()
    expect(await pending).toEqual(['CLOSED', 'The sandbox was closed.'])
    expect(await endOf(execute('2'))).toEqual(['CLOSED', 'The sandbox was closed.'])
    expect([place.ends, place.shell.calls, place.endpoint.isClosed]).toEqual([
      ['released'],
      ['wait', 'close'],
      true,
    ])
    expect([losses, lease.loss, vi.getTimerCount()]).toEqual([[], undefined, 0])
  })

  it('retires the place where the worker says that a native call is in flight', async () => {
    const { place, lease } = leased()
    place.shell.free = false
    await lease.close()
    expect(place.ends).toEqual(['retired'])
  })

  it('retires the place as suspect where the worker does not answer within five seconds', async () => {
    const { place, lease } = leased()
    place.shell.free = new Promise(() => undefined)
    const closing = lease.close()
    await seconds(4.9)
    expect([place.ends, place.endpoint.isReferenced]).toEqual([[], true])
    await seconds(0.2)
    await closing
    expect([place.ends, place.endpoint.isClosed]).toEqual([['retired as suspect'], true])
  })

  it('retires the place at once where the worker ends instead of answering', async () => {
    const { place, lease, losses } = leased()
    place.shell.free = new Promise(() => undefined)
    const closing = lease.close()
    await seconds(1)
    place.lose(exited)
    await closing
    expect([place.ends, losses, lease.loss]).toEqual([['retired'], [], undefined])
  })

  it('ends the lease once', async () => {
    const { place, lease } = leased()
    await Promise.all([lease.close(), lease.close()])
    lease.abandon()
    expect([place.ends, place.shell.calls]).toEqual([['released'], ['close']])
  })
})

describe('abandon', () => {
  it('retires the place without asking the worker, once', async () => {
    const { place, lease, losses } = leased()
    lease.abandon()
    lease.abandon()
    await lease.close()
    await seconds(10)
    expect([place.ends, place.shell.calls, place.endpoint.isClosed]).toEqual([['retired'], [], true])
    expect(losses).toEqual([])
  })
})

describe('a loss', () => {
  it('is told once, however often its place tells it', async () => {
    const { place, lease, losses } = leased()
    place.lose(exited)
    place.lose({ code: 'WORKER_FAILED', message: 'later' })
    await lease.close()
    lease.abandon()
    expect([losses, lease.loss, place.ends]).toEqual([[exited], exited, ['retired as suspect']])
    expect(place.shell.calls).toEqual([])
  })

  it('is unreported where no call was pending, until it is taken', () => {
    const { place, lease } = leased()
    expect(lease.takeUnreportedLoss()).toBeUndefined()
    place.lose(exited)
    expect(told(lease.takeUnreportedLoss())).toEqual(lost)
    expect(lease.takeUnreportedLoss()).toBeUndefined()
  })

  it('is reported where a pending call rejected with it', async () => {
    const { place, lease, execute } = leased()
    const pending = endOf(execute('wait'))
    await seconds(0)
    place.lose(exited)
    expect([await pending, lease.takeUnreportedLoss()]).toEqual([lost, undefined])
    expect(await endOf(execute('2'))).toEqual(lost)
  })

  it.each(['ENGINE_PANIC', 'DEADLINE_IGNORED', 'RESET'] as const)(
    'of the shell alone leaves its worker free of suspicion: %s',
    async (code) => {
      const { place, losses } = leased()
      const loss = { code, message: 'the shell is broken' }
      place.far.postMessage({ signal: { kind: 'lost', loss } })
      await seconds(0)
      expect([losses, place.ends, place.endpoint.isClosed]).toEqual([[loss], ['retired'], true])
    },
  )

  it.each(['WORKER_EXITED', 'WORKER_FAILED', 'HEAP_EXHAUSTED', 'PROTOCOL', 'CELL_EXITED'] as const)(
    'that may be of the worker makes it suspect: %s',
    (code) => {
      const { place } = leased()
      place.lose({ code, message: 'the worker is broken' })
      expect(place.ends).toEqual(['retired as suspect'])
    },
  )
})

describe('a connection that the worker closes', () => {
  it('makes the worker suspect at once, and leaves it five seconds to say why', async () => {
    const { place, losses, execute } = leased()
    const pending = endOf(execute('wait'))
    await seconds(0)
    place.far.close()
    await seconds(4.9)
    expect([place.ends, losses]).toEqual([['retired as suspect'], []])
    place.lose({ code: 'HEAP_EXHAUSTED', message: 'no memory' })
    expect(await pending).toEqual(['MEMORY_LIMIT', 'The session was lost: no memory'])
    await seconds(1)
    expect(losses.map(({ code }) => code)).toEqual(['HEAP_EXHAUSTED'])
  })

  it('is a loss by itself after that', async () => {
    const { place, losses } = leased()
    place.far.close()
    await seconds(4.9)
    expect(losses).toEqual([])
    await seconds(0.2)
    expect(losses).toEqual([{ code: 'WORKER_EXITED', message: "The worker closed the session's port." }])
  })
})
