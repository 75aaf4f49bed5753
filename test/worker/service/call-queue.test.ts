import { expect, it } from 'vitest'
import { CallQueue } from '../../../worker/service/call-queue.ts'

/** A queue of jobs that end when they are told to. */
function heldJobs() {
  const queue = new CallQueue()
  const begun: number[] = []
  const ends = new Map<number, (error?: Error) => void>()
  const add = (id: number) => {
    const job = () => {
      begun.push(id)
      return new Promise<string>((resolve, reject) => {
        ends.set(id, (error) => (error === undefined ? resolve(`${id} ran`) : reject(error)))
      })
    }
    return queue.add(id, job, 'dropped')
  }
  const end = async (id: number, error?: Error) => {
    ends.get(id)?.(error)
    await new Promise(setImmediate)
  }
  return { queue, begun, add, end }
}

it('runs jobs one at a time, in the order in which they were added', async () => {
  const { queue, begun, add, end } = heldJobs()
  const results = Promise.all([add(1), add(2), add(3)])
  expect(begun).toEqual([1])
  await end(1)
  expect([begun, queue.running]).toEqual([[1, 2], 2])
  await end(2)
  await end(3)
  expect(await results).toEqual(['1 ran', '2 ran', '3 ran'])
  expect([begun, queue.running]).toEqual([[1, 2, 3], undefined])
})

it('begins a job at once where none runs', async () => {
  const { begun, add, end } = heldJobs()
  const first = add(1)
  await end(1)
  expect(await first).toBe('1 ran')
  void add(2)
  expect(begun).toEqual([1, 2])
})

it('goes on after a job that fails', async () => {
  const { begun, add, end } = heldJobs()
  const results = Promise.allSettled([add(1), add(2)])
  await end(1, new Error('no'))
  await end(2)
  expect(await results).toEqual([
    { status: 'rejected', reason: new Error('no') },
    { status: 'fulfilled', value: '2 ran' },
  ])
  expect(begun).toEqual([1, 2])
})

it('takes out a job that waits, and no other', async () => {
  const { queue, begun, add, end } = heldJobs()
  const results = Promise.all([add(1), add(2), add(3)])
  expect([queue.cancel(2), queue.cancel(2), queue.cancel(1), queue.cancel(9)]).toEqual([
    true,
    false,
    false,
    false,
  ])
  await end(1)
  await end(3)
  expect(await results).toEqual(['1 ran', 'dropped', '3 ran'])
  expect(begun).toEqual([1, 3])
})

it('takes out every job that waits, and takes further ones', async () => {
  const { queue, begun, add, end } = heldJobs()
  const results = Promise.all([add(1), add(2), add(3)])
  queue.clear()
  const last = add(4)
  await end(1)
  await end(4)
  expect(await results).toEqual(['1 ran', 'dropped', 'dropped'])
  expect(await last).toBe('4 ran')
  expect(begun).toEqual([1, 4])
})
