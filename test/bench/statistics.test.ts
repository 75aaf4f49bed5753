import { expect, test } from 'vitest'
import { holds } from '../../bench/figure.ts'
import { formatValue } from '../../bench/show.ts'
import { median, ratioOf, summarize } from '../../bench/statistics.ts'

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

test('a summary has the median of the medians of its rounds, and p95 and p99 of all samples', () => {
  expect(summarize([upTo(100), [1, 2, 3], [1000, 2000]])).toEqual({
    median: 50,
    p95: 97,
    p99: 1000,
    samples: 105,
    rounds: [50, 2, 1000],
  })
})

test('where more is better, p95 is the value that 95 of 100 samples reach', () => {
  const { p95, p99 } = summarize([upTo(100)], 'more')
  expect([p95, p99]).toEqual([6, 2])
})

test('a ratio is the median of the ratios of the rounds, not the ratio of the medians', () => {
  const one = summarize([[10], [20], [90]])
  const other = summarize([[10], [10], [10]])
  expect(ratioOf(one, other)).toBe(2)
  expect(ratioOf(summarize([[2], [9]]), summarize([[1], [1], [1]]))).toBe(2)
})

test('a target that was not measured is missed', () => {
  const figure = { name: 'x', ours: Number.NaN, unit: 'ms', judged: Number.NaN } as const
  expect(holds({ ...figure, target: { most: 1 } })).toBe(false)
  expect(holds(JSON.parse(JSON.stringify({ ...figure, target: { most: 1 } })))).toBe(false)
  expect(holds({ ...figure, target: { least: 1 } })).toBe(false)
  expect(median([])).toBeNaN()
})

test('figures are shown with the digits that count', () => {
  expect([0.012345, 1.5, 12.345, 1234.5, 12345678, 0, Number.NaN].map(formatValue)).toEqual([
    '0.0123',
    '1.5',
    '12.3',
    '1 235',
    '12 345 678',
    '0',
    '–',
  ])
})
