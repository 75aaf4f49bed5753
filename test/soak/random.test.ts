import { expect, it } from 'vitest'
import { Random } from '../../soak/random.ts'

function numbers(seed: number, name: string): readonly number[] {
  const random = new Random(seed, name)
  return Array.from({ length: 1000 }, () => random.next())
}

it('gives the same numbers for the same seed and name only', () => {
  expect(numbers(1, 'a')).toEqual(numbers(1, 'a'))
  expect(numbers(1, 'a')).not.toEqual(numbers(1, 'b'))
  expect(numbers(1, 'a')).not.toEqual(numbers(2, 'a'))
})

it('spreads numbers evenly, including the first ones of neighbouring names', () => {
  for (const drawn of [
    numbers(7, 'a'),
    Array.from({ length: 1000 }, (_, step) => new Random(7, `a/${step}`).next()),
  ]) {
    const tenths = Array.from(
      { length: 10 },
      (_, tenth) => drawn.filter((n) => Math.floor(n * 10) === tenth).length,
    )
    expect(Math.min(...tenths)).toBeGreaterThan(60)
    expect(Math.max(...tenths)).toBeLessThan(140)
  }
})

it('chooses in proportion to the weights', () => {
  const random = new Random(3, 'weights')
  const chosen = Array.from({ length: 2000 }, () =>
    random.weighted([
      [3, 'often'],
      [1, 'rarely'],
      [0, 'never'],
    ]),
  )
  const often = chosen.filter((choice) => choice === 'often').length
  expect(often).toBeGreaterThan(1400)
  expect(often).toBeLessThan(1600)
  expect(chosen).not.toContain('never')
})
