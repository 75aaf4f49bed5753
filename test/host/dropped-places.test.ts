import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { GarbageCollection } from '../../src/async/garbage.ts'
import { DroppedPlaces } from '../../src/host/dropped-places.ts'

/** A host with openings that wait, and its collections. */
class Host {
  awaited = true
  mayBeDropped = true
  onCollected: (() => void) | undefined
  readonly collect = vi.fn(() => this.onCollected?.())
  readonly dropped = new DroppedPlaces(
    { isAwaited: () => this.awaited, mayBeDropped: () => this.mayBeDropped },
    new GarbageCollection({ now: () => performance.now(), findCollector: () => this.collect }),
  )
}

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

it('are looked for while an opening waits, and no longer', () => {
  const host = new Host()
  host.dropped.seek()
  expect(host.collect).toHaveBeenCalledTimes(0)
  vi.advanceTimersByTime(0)
  expect(host.collect).toHaveBeenCalledTimes(1)
  vi.advanceTimersByTime(7_000)
  expect(host.collect).toHaveBeenCalledTimes(4)
  host.awaited = false
  vi.advanceTimersByTime(600_000)
  expect([host.collect.mock.calls.length, vi.getTimerCount()]).toEqual([4, 0])
  host.awaited = true
  host.dropped.seek()
  vi.advanceTimersByTime(1000)
  expect(host.collect).toHaveBeenCalledTimes(5)
})

it('are not looked for while none can be there, and are once one can', () => {
  const host = new Host()
  host.mayBeDropped = false
  host.dropped.seek()
  vi.advanceTimersByTime(10_000)
  expect(host.collect).toHaveBeenCalledTimes(0)
  host.mayBeDropped = true
  vi.advanceTimersByTime(1000)
  expect(host.collect).toHaveBeenCalledTimes(1)
})

it('are looked for by one timer, however many openings wait', () => {
  const host = new Host()
  for (let waiting = 0; waiting < 100; waiting++) host.dropped.seek()
  vi.advanceTimersByTime(0)
  expect([host.collect.mock.calls.length, vi.getTimerCount()]).toEqual([1, 1])
})

it('are looked for often while some are found', () => {
  const host = new Host()
  host.onCollected = () => setTimeout(() => host.dropped.found(), 1)
  host.dropped.seek()
  vi.advanceTimersByTime(1000)
  expect(host.collect.mock.calls.length).toBeGreaterThanOrEqual(8)
})

it('are looked for no more once the host is closed', () => {
  const host = new Host()
  host.dropped.seek()
  vi.advanceTimersByTime(0)
  host.dropped.stop()
  expect(vi.getTimerCount()).toBe(0)
})

it('are looked for once before an opening is refused, which waits until they are given up', async () => {
  const host = new Host()
  host.onCollected = () => setTimeout(() => host.dropped.found(), 5)
  let over = 0
  const both = [host.dropped.seekOnce(), host.dropped.seekOnce()].map((once) =>
    once.then(() => {
      over += 1
    }),
  )
  await vi.advanceTimersByTimeAsync(4)
  expect([host.collect.mock.calls.length, over]).toEqual([1, 0])
  await vi.advanceTimersByTimeAsync(2)
  await Promise.all(both)
  // Timers that others have made in this process meanwhile fire; one for what was found would not.
  await vi.advanceTimersByTimeAsync(10)
  expect([over, vi.getTimerCount()]).toEqual([2, 0])
})

it('hold an opening up for a moment at most that is refused, and not at all where no collection may run', async () => {
  const host = new Host()
  for (const most of [25, 1]) {
    const start = performance.now()
    const over = host.dropped.seekOnce().then(() => performance.now() - start)
    await vi.advanceTimersByTimeAsync(most)
    expect(await over).toBeLessThanOrEqual(most)
  }
  expect(host.collect).toHaveBeenCalledTimes(1)
})
