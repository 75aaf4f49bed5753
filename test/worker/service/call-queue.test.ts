import { expect, it, vi } from 'vitest'
import { CallQueue } from '../../../worker/service/call-queue.ts'

/** A job that begins when its turn comes and ends when it is told to. */
class Job {
  begun = false
  end: (value: string) => void = () => undefined
  fail: (error: Error) => void = () => undefined

  readonly run = (): Promise<string> => {
    this.begun = true
    return new Promise((resolve, reject) => {
      this.end = resolve
      this.fail = reject
    })
  }
}

it('runs one job at a time, in the order in which they were added', async () => {
  const queue = new CallQueue()
  const [first, second] = [new Job(), new Job()]
  const results = [queue.add(1, first.run, 'dropped'), queue.add(2, second.run, 'dropped')]
  expect([first.begun, second.begun, queue.busy]).toEqual([true, false, true])
  first.end('a')
  expect(await results[0]).toBe('a')
  await vi.waitFor(() => expect(second.begun).toBe(true))
  second.end('b')
  expect(await results[1]).toBe('b')
  await vi.waitFor(() => expect(queue.busy).toBe(false))
})

it('goes on after a job that rejects', async () => {
  const queue = new CallQueue()
  const first = new Job()
  const failed = queue.add(1, first.run, 'dropped')
  const next = queue.add(2, async () => 'ran', 'dropped')
  first.fail(new Error('no'))
  await expect(failed).rejects.toThrow('no')
  expect(await next).toBe('ran')
})

it('drops a job that waits, and never one that runs', async () => {
  const queue = new CallQueue()
  const [first, second] = [new Job(), new Job()]
  const running = queue.add(1, first.run, 'dropped')
  const waiting = queue.add(2, second.run, 'dropped')
  expect([queue.cancel(1), queue.cancel(2), queue.cancel(2), queue.cancel(7)]).toEqual([
    false,
    true,
    false,
    false,
  ])
  expect(await waiting).toBe('dropped')
  first.end('a')
  expect([await running, second.begun]).toEqual(['a', false])
})

it('drops every job that waits on clear(), and runs what is added after it', async () => {
  const queue = new CallQueue()
  const first = new Job()
  const running = queue.add(1, first.run, 'dropped')
  const waiting = [2, 3].map((id) => queue.add(id, async () => 'ran', 'dropped'))
  queue.clear()
  expect(await Promise.all(waiting)).toEqual(['dropped', 'dropped'])
  const after = queue.add(4, async () => 'after', 'dropped')
  first.end('a')
  expect([await running, await after]).toEqual(['a', 'after'])
})
