import { expect, it } from 'vitest'
import { Backoff } from '../../src/async/backoff.ts'

it('doubles its delay with each failure in a row, up to the longest', () => {
  const backoff = new Backoff(1000)
  const delays = [backoff.delay]
  for (let failure = 0; failure < 6; failure++) {
    backoff.failed()
    delays.push(backoff.delay)
  }
  expect(delays).toEqual([0, 100, 200, 400, 800, 1000, 1000])
})

it('waits for five seconds at most where nothing else is said', () => {
  const backoff = new Backoff()
  for (let failure = 0; failure < 100; failure++) backoff.failed()
  expect(backoff.delay).toBe(5000)
})

it('does not wait after a success', async () => {
  const backoff = new Backoff()
  backoff.failed()
  backoff.succeeded()
  expect(backoff.delay).toBe(0)
  await backoff.wait()
})
