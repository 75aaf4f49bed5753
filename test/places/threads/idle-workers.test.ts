import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { IdleWorkers, type RestingWorker } from '../../../src/places/threads/idle-workers.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const seconds = (count: number) => vi.advanceTimersByTimeAsync(count * 1000)

class FakeWorker implements RestingWorker {
  state: RestingWorker['state'] = 'live'
  leases = 0

  retire(): void {
    this.state = 'retired'
  }
}

const workers = (count: number) => Array.from({ length: count }, () => new FakeWorker())
const statesOf = (all: readonly FakeWorker[]) => all.map(({ state }) => state)

it('retires a worker that has had no lease for its time', async () => {
  const idle = new IdleWorkers({ least: 0, most: 8 }, 30)
  const [worker = new FakeWorker()] = workers(1)
  idle.rest(worker)
  await seconds(29)
  expect(worker.state).toBe('live')
  await seconds(2)
  expect(worker.state).toBe('retired')
})

it('retires at once what comes when the most are idle already', () => {
  const idle = new IdleWorkers({ least: 0, most: 2 }, 30)
  const all = workers(3)
  for (const worker of all) idle.rest(worker)
  expect(statesOf(all)).toEqual(['live', 'live', 'retired'])
})

it('keeps the least however long they are idle, and also where the most are fewer', async () => {
  const idle = new IdleWorkers({ least: 2, most: 0 }, 30)
  const all = workers(3)
  for (const worker of all) idle.rest(worker)
  expect(statesOf(all)).toEqual(['live', 'live', 'retired'])
  await seconds(3600)
  expect(statesOf(all)).toEqual(['live', 'live', 'retired'])
})

it('does not count a worker that has a lease again, and does not retire it', async () => {
  const idle = new IdleWorkers({ least: 0, most: 1 }, 30)
  const [busy = new FakeWorker(), next = new FakeWorker()] = workers(2)
  idle.rest(busy)
  busy.leases = 1
  idle.rest(next)
  expect(next.state).toBe('live')
  await seconds(31)
  expect(statesOf([busy, next])).toEqual(['live', 'retired'])
})

it('does not take a worker in that is busy or retired', () => {
  const idle = new IdleWorkers({ least: 0, most: 8 }, 30)
  const [busy = new FakeWorker(), retired = new FakeWorker()] = workers(2)
  busy.leases = 1
  retired.retire()
  idle.rest(busy)
  idle.rest(retired)
  expect(vi.getTimerCount()).toBe(0)
})

it('trims those that have been idle longest', async () => {
  const idle = new IdleWorkers({ least: 0, most: 8 }, 30)
  const all = workers(3)
  for (const worker of all) {
    idle.rest(worker)
    await seconds(1)
  }
  idle.trim(1)
  expect(statesOf(all)).toEqual(['retired', 'retired', 'live'])
})

it('leaves no timer after clear()', () => {
  const idle = new IdleWorkers({ least: 0, most: 8 }, 30)
  const all = workers(2)
  for (const worker of all) idle.rest(worker)
  idle.clear()
  expect([vi.getTimerCount(), statesOf(all)]).toEqual([0, ['live', 'live']])
})
