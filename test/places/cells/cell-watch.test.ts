import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { CellWatch, type Watched } from '../../../src/places/cells/cell-watch.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
})
afterEach(() => {
  vi.useRealTimers()
})

/** A watch of a cell with 1000 bytes at most, and what it has asked and told. */
function watched(rss: () => number | undefined) {
  const told: string[] = []
  const pings: number[] = []
  const cell: Watched = {
    pid: 7,
    maxMemory: 1000,
    ping: (ping) => pings.push(ping),
    onTooLarge: (bytes) => told.push(`too large: ${bytes}`),
    onStalled: (seconds) => told.push(`stalled: ${seconds} s`),
  }
  const watch = new CellWatch(cell, rss)
  onTestFinished(() => watch.stop())
  return { watch, told, pings }
}

it('looks at the memory every 100 ms, and reports more than the bound', () => {
  let rss = 1000
  const { told } = watched(() => rss)
  vi.advanceTimersByTime(1000)
  expect(told).toEqual([])
  rss = 1001
  vi.advanceTimersByTime(99)
  expect(told).toEqual([])
  vi.advanceTimersByTime(1)
  expect(told).toEqual(['too large: 1001'])
})

it('believes what the cell says of its memory only where the system does not tell', () => {
  let rss: number | undefined = 1
  const { watch, told } = watched(() => rss)
  vi.advanceTimersByTime(1000)
  watch.answered(1, 5000)
  expect(told).toEqual([])
  rss = undefined
  vi.advanceTimersByTime(1000)
  watch.answered(2, 5000)
  expect(told).toEqual(['too large: 5000'])
})

it('asks once a second, and reports a cell that has not answered ten times in a row', () => {
  const { told, pings } = watched(() => 1)
  vi.advanceTimersByTime(10_900)
  expect([pings, told]).toEqual([[1, 2, 3, 4, 5, 6, 7, 8, 9, 10], []])
  vi.advanceTimersByTime(100)
  expect(told).toEqual(['stalled: 10 s'])
})

it('counts anew after each answer', () => {
  const { watch, told } = watched(() => 1)
  vi.advanceTimersByTime(9000)
  watch.answered(9, 1)
  vi.advanceTimersByTime(10_000)
  expect(told).toEqual([])
  vi.advanceTimersByTime(1000)
  expect(told).toEqual(['stalled: 10 s'])
})

it('ignores answers to what was not asked, and to what was answered before', () => {
  const { watch, told } = watched(() => 1)
  vi.advanceTimersByTime(2000)
  watch.answered(2, 1)
  for (const ping of [1, 2, 3, 1000]) watch.answered(ping, 5000)
  vi.advanceTimersByTime(10_900)
  expect(told).toEqual([])
  vi.advanceTimersByTime(100)
  expect(told).toEqual(['stalled: 10 s'])
})

it('looks and asks no more once it was stopped', () => {
  const { watch, told, pings } = watched(() => 5000)
  watch.stop()
  vi.advanceTimersByTime(60_000)
  expect([told, pings]).toEqual([[], []])
})
