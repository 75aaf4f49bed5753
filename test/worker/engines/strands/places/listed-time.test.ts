import { expect, it } from 'vitest'
import { listedTime } from '../../../../../worker/engines/strands/places/listed-time.ts'

const now = Date.UTC(2026, 10, 23, 1, 30, 20)

it.each([
  ['Nov 23 01:29', Date.UTC(2026, 10, 23, 1, 29)],
  ['Nov  2 23:05', Date.UTC(2026, 10, 2, 23, 5)],
  ['Nov 23 01:31', Date.UTC(2026, 10, 23, 1, 31)],
  ['Dec 24 10:00', Date.UTC(2025, 11, 24, 10)],
  ['Mar  1  2024', Date.UTC(2024, 2, 1)],
  ['', 0],
  ['Foo 10 10:00', 0],
])('%j is %d', (shown, time) => {
  expect(listedTime(shown, now)).toBe(time)
})
