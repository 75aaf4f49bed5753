import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { Lifetime } from '../../src/host/lifetime.ts'
import { resolveHostOptions } from '../../src/host/resolve-options.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const seconds = (count: number) => vi.advanceTimersByTimeAsync(count * 1000)

/** A session that counts its pending calls, and remembers why it was closed. */
class Session {
  readonly id = undefined
  readonly isolation = 'worker'
  readonly generation = 1
  readonly reasons: string[] = []
  pending = 0

  close(reason: string): Promise<void> {
    this.reasons.push(reason)
    return Promise.resolve()
  }
}

function lived(options: { readonly idleTimeout?: number; readonly maxLifetime?: number }) {
  const session = new Session()
  return { session, lifetime: new Lifetime(session, resolveHostOptions(options)) }
}

it('closes a session that nobody has used for the idle timeout', async () => {
  const { session, lifetime } = lived({ idleTimeout: 10 })
  lifetime.rests()
  await seconds(9.9)
  expect(session.reasons).toEqual([])
  await seconds(0.2)
  expect(session.reasons).toEqual(['idle'])
})

it('counts the idle time from the last call', async () => {
  const { session, lifetime } = lived({ idleTimeout: 10 })
  lifetime.rests()
  await seconds(9)
  lifetime.used()
  await seconds(60)
  lifetime.rests()
  await seconds(9.9)
  expect(session.reasons).toEqual([])
  await seconds(0.2)
  expect(session.reasons).toEqual(['idle'])
})

it('closes a session at the end of its lifetime if it is not in use', async () => {
  const { session } = lived({ maxLifetime: 100 })
  await seconds(99)
  expect(session.reasons).toEqual([])
  await seconds(2)
  expect(session.reasons).toEqual(['lifetime'])
})

it('lets the pending calls end before it closes a session at the end of its lifetime', async () => {
  const { session, lifetime } = lived({ maxLifetime: 100 })
  session.pending = 1
  lifetime.used()
  await seconds(200)
  expect(session.reasons).toEqual([])
  session.pending = 0
  lifetime.rests()
  expect(session.reasons).toEqual(['lifetime'])
})

it('closes nothing after stop(), and nothing without options', async () => {
  const { session, lifetime } = lived({ idleTimeout: 10, maxLifetime: 100 })
  lifetime.rests()
  lifetime.stop()
  const other = lived({})
  other.lifetime.rests()
  await seconds(86_400)
  expect([session.reasons, other.session.reasons, vi.getTimerCount()]).toEqual([[], [], 0])
})
