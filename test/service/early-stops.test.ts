import { expect, test } from 'vitest'
import { EarlyStops } from '../../src/service/early-stops.ts'

test('a stop that came before its call is taken once', () => {
  const stops = new EarlyStops(60)
  stops.add('k')
  expect([stops.take('other'), stops.take('k'), stops.take('k')]).toEqual([false, true, false])
})

test('a stop is forgotten when its time is over', () => {
  const stops = new EarlyStops(0)
  stops.add('k')
  expect(stops.take('k')).toBe(false)
})

test('of too many stops the oldest are forgotten', () => {
  const stops = new EarlyStops(60)
  for (let number = 0; number <= 10_000; number += 1) stops.add(`${number}`)
  expect([stops.take('0'), stops.take('1')]).toEqual([false, true])
})
