import { expect, it } from 'vitest'
import { linesOf, viewLines } from '../../src/tools/text-lines.ts'

it('a line break at the end begins no line', () => {
  expect(['', 'a', 'a\n', 'a\n\n'].map(linesOf)).toEqual([[], ['a'], ['a'], ['a', '']])
})

it('shows a range with its numbers', () => {
  expect(viewLines(['a', 'b', 'c'], { first: 2, last: 9 }, 1000)).toEqual({
    numbered: '     2\tb\n     3\tc',
    content: 'b\nc',
    first: 2,
    last: 3,
    total: 3,
    endsEarly: false,
    isCut: false,
  })
})

it('stops where the limit is reached, between two lines', () => {
  expect(viewLines(['a', 'b', 'c'], { first: 1, last: 3 }, 17)).toMatchObject({
    content: 'a\nb',
    last: 2,
    endsEarly: true,
    isCut: false,
  })
})

it('cuts a line that is too long alone', () => {
  expect(viewLines(['x'.repeat(50), 'b'], { first: 1, last: 2 }, 17)).toMatchObject({
    numbered: `     1\t${'x'.repeat(10)}`,
    last: 1,
    endsEarly: true,
    isCut: true,
  })
})
