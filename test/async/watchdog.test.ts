import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { Watchdog } from '../../src/async/watchdog.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const seconds = (count: number) => vi.advanceTimersByTimeAsync(count * 1000)

it('calls back once when what it expects does not happen in time', async () => {
  const onOverdue = vi.fn()
  new Watchdog(onOverdue).expect(2)
  await seconds(1.9)
  expect(onOverdue).not.toHaveBeenCalled()
  await seconds(0.2)
  expect(onOverdue).toHaveBeenCalledTimes(1)
  await seconds(3600)
  expect(onOverdue).toHaveBeenCalledTimes(1)
})

it('watches the newest expectation alone, be it later or sooner', async () => {
  const onOverdue = vi.fn()
  const watchdog = new Watchdog(onOverdue)
  watchdog.expect(2)
  await seconds(1)
  watchdog.expect(100)
  await seconds(10)
  expect(onOverdue).not.toHaveBeenCalled()
  watchdog.expect(1)
  await seconds(1.1)
  expect(onOverdue).toHaveBeenCalledTimes(1)
})

it('needs one timer for many expectations in a row', () => {
  const watchdog = new Watchdog(() => undefined)
  for (let call = 0; call < 100; call++) watchdog.expect(5 + call)
  expect(vi.getTimerCount()).toBe(1)
})

it('calls back for nothing while it rests, and after stop()', async () => {
  const onOverdue = vi.fn()
  const watchdog = new Watchdog(onOverdue)
  watchdog.expect(1)
  watchdog.rest()
  await seconds(2)
  watchdog.expect(1)
  watchdog.stop()
  expect(vi.getTimerCount()).toBe(0)
  await seconds(2)
  expect(onOverdue).not.toHaveBeenCalled()
})

it('holds an expectation that is longer than the longest timer of Node', async () => {
  const onOverdue = vi.fn()
  const days = 30 * 86_400
  new Watchdog(onOverdue).expect(days)
  await seconds(days - 1)
  expect(onOverdue).not.toHaveBeenCalled()
  await seconds(2)
  expect(onOverdue).toHaveBeenCalledTimes(1)
})

it('gives a thread that stood still time to read what came meanwhile', async () => {
  vi.useRealTimers()
  const onOverdue = vi.fn()
  const watchdog = new Watchdog(onOverdue)
  watchdog.expect(0.05)
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 250)
  await sleep(100)
  expect(onOverdue).not.toHaveBeenCalled()
  watchdog.stop()
})

it('gives no such time without end where the thread stands still again and again', async () => {
  // By its clock every timer is late by as much as it took.
  const now = performance.now.bind(performance)
  vi.spyOn(performance, 'now').mockImplementation(() => 2 * now())
  onTestFinished(() => void vi.restoreAllMocks())
  const onOverdue = vi.fn()
  new Watchdog(onOverdue).expect(2)
  await seconds(3)
  expect(onOverdue).not.toHaveBeenCalled()
  await seconds(20)
  expect(onOverdue).toHaveBeenCalledTimes(1)
})

it('calls back where the clock has passed the time between two turns, as one that a test moves does', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  const onOverdue = vi.fn()
  new Watchdog(onOverdue).expect(62)
  vi.advanceTimersByTime(62_100)
  await new Promise(setImmediate)
  expect(onOverdue).toHaveBeenCalledTimes(1)
})
