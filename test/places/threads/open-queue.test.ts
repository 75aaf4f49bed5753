import { FixedQueue, Piscina, queueOptionsSymbol, type TaskQueue } from 'piscina'
import { afterEach, expect, it } from 'vitest'
import { OpenQueue } from '../../../src/places/threads/open-queue.ts'
import { until } from '../../faults/helpers.ts'

class Task {
  readonly [queueOptionsSymbol]: object | null

  constructor(options: object | null = null) {
    this[queueOptionsSymbol] = options
  }
}

let pool: Piscina | undefined
afterEach(() => pool?.destroy())

/** The workers that a pool starts for two tasks, the second of which no worker is given. */
async function workersOf(makeQueue: (freePlaces: () => number) => TaskQueue): Promise<number> {
  let given = false
  const tasks = new Piscina({
    filename: new URL('../../fixtures/echo-task.cjs', import.meta.url).href,
    atomics: 'disabled',
    maxThreads: 12,
    minThreads: 0,
    idleTimeout: Number.POSITIVE_INFINITY,
    taskQueue: makeQueue(() => (given ? 0 : 1)),
    loadBalancer: (_, workers) => {
      if (given) return null
      given = workers[0] !== undefined
      return workers[0] ?? null
    },
  })
  pool = tasks
  const first = tasks.run('first')
  tasks.run('second').catch(() => undefined) // The pool's end settles it.
  expect(await first).toBe('first')
  await until(() => tasks.threads.length >= 2)
  return tasks.threads.length
}

it('keeps a pool from starting workers for a task that none of them is given', async () => {
  expect(await workersOf((freePlaces) => new OpenQueue(freePlaces))).toBeLessThanOrEqual(2)
})

it('is needed: the pool starts as many as it may', async () => {
  expect(await workersOf(() => new FixedQueue())).toBe(12)
})

it('shows as many tasks as there are places, and gives them in order', () => {
  let places = 0
  const queue = new OpenQueue(() => places)
  const tasks = Array.from({ length: 3 }, () => new Task())
  for (const task of tasks) queue.push(task)
  expect([queue.size, queue.waiting]).toEqual([0, 3])
  places = 2
  expect(queue.size).toBe(2)
  expect(queue.shift()).toBe(tasks[0])
  queue.clear()
  expect([queue.size, queue.waiting]).toEqual([0, 0])
})

it('takes out the task whose worker could not be started', () => {
  const queue = new OpenQueue(() => 3)
  const options = {}
  const [first, failed, last] = [new Task(), new Task(options), new Task({})]
  for (const task of [first, failed, last]) queue.push(task)
  queue.withdraw(options)
  expect([queue.shift(), queue.shift(), queue.shift()]).toEqual([first, last, null])
})
