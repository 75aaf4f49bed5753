import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { Lifetime } from '../../src/host/lifetime.ts'
import type { HostOptions } from '../../src/host/options.ts'
import { resolveHostOptions } from '../../src/host/resolve-options.ts'
import { directoryStore } from '../../src/snapshot/directory-store/directory-store.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const seconds = (count: number) => vi.advanceTimersByTimeAsync(count * 1000)

/** A lifetime, and what it has told. */
function lived(options: HostOptions) {
  const reasons: string[] = []
  const lifetime = new Lifetime(resolveHostOptions(options), {
    onRested: () => reasons.push('rested'),
    onIdle: () => reasons.push('idle'),
    onOver: () => reasons.push('lifetime'),
  })
  return { reasons, lifetime }
}

it('tells of a session that nobody has used for the idle timeout', async () => {
  const { reasons, lifetime } = lived({ idleTimeout: 10 })
  lifetime.rests()
  await seconds(9.9)
  expect(reasons).toEqual([])
  await seconds(0.2)
  expect(reasons).toEqual(['idle'])
})

it('tells of a session that has rested before it tells of one that is idle', async () => {
  const { reasons, lifetime } = lived({
    idleTimeout: 10,
    hibernate: { after: 5, store: directoryStore('/none') },
  })
  lifetime.rests()
  await seconds(5.1)
  expect(reasons).toEqual(['rested'])
  await seconds(5)
  expect(reasons).toEqual(['rested', 'idle'])
})

it('counts the idle time from the last call', async () => {
  const { reasons, lifetime } = lived({ idleTimeout: 10 })
  lifetime.rests()
  await seconds(9)
  lifetime.used()
  await seconds(60)
  lifetime.rests()
  await seconds(9.9)
  expect(reasons).toEqual([])
  await seconds(0.2)
  expect(reasons).toEqual(['idle'])
})

it('tells of a session at the end of its lifetime if it is not in use', async () => {
  const { reasons } = lived({ maxLifetime: 100 })
  await seconds(99)
  expect(reasons).toEqual([])
  await seconds(2)
  expect(reasons).toEqual(['lifetime'])
})

it('waits for the pending calls at the end of its lifetime', async () => {
  const { reasons, lifetime } = lived({ maxLifetime: 100 })
  lifetime.used()
  await seconds(200)
  expect(reasons).toEqual([])
  lifetime.rests()
  expect(reasons).toEqual(['lifetime'])
})

it('tells nothing after stop(), and nothing without options', async () => {
  const { reasons, lifetime } = lived({ idleTimeout: 10, maxLifetime: 100 })
  lifetime.rests()
  lifetime.stop()
  const other = lived({})
  other.lifetime.rests()
  await seconds(86_400)
  expect([reasons, other.reasons, vi.getTimerCount()]).toEqual([[], [], 0])
})
