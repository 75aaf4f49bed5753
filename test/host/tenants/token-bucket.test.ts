import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { TokenBucket } from '../../../src/host/tenants/token-bucket.ts'

const minute = 60_000

it('holds the tokens of a minute, and gets one each time that its part of a minute has passed', () => {
  let now = 1_000_000
  const bucket = new TokenBucket(3, () => now)
  for (const _ of [1, 2, 3]) {
    expect(bucket.wait).toBe(0)
    bucket.take()
  }
  expect([bucket.wait, bucket.isFull]).toEqual([20_000, false])
  now += 5_000
  expect(bucket.wait).toBe(15_000)
  now += 15_000
  expect(bucket.wait).toBe(0)
  bucket.take()
  expect(bucket.wait).toBe(20_000)
  now += minute
  expect(bucket.isFull).toBe(true)
})

it('never gives more than those of one minute and of the time that has passed', () => {
  const pauses = fc.array(fc.nat(minute), { maxLength: 60, size: 'max' })
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 50 }), pauses, (perMinute, times) => {
      let now = 0
      let taken = 0
      const bucket = new TokenBucket(perMinute, () => now)
      for (const pause of times) {
        now += pause
        const before = taken
        while (bucket.wait === 0) {
          bucket.take()
          taken += 1
        }
        expect(taken - before).toBeLessThanOrEqual(perMinute)
        expect(taken).toBeLessThanOrEqual(perMinute + (perMinute * now) / minute + 0.01)
      }
    }),
  )
})
