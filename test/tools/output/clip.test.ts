import fc from 'fast-check'
import { expect, it } from 'vitest'
import { clip, clipEnd, countLines } from '../../../src/tools/output/clip.ts'

it('a text that fits stays whole', () => {
  expect(clip('abcd', 4)).toEqual({ isWhole: true, text: 'abcd' })
})

it('of a longer one the ends stay, with how much is missing', () => {
  expect(clip('abcdefghij', 4)).toEqual({
    isWhole: false,
    head: 'ab',
    tail: 'ij',
    leftOut: { characters: 6, lines: 1 },
  })
})

it('is cut between lines where one ends nearby', () => {
  const lines = Array.from({ length: 100 }, (_, index) => `line ${index}\n`).join('')
  expect(clip(lines, 60)).toEqual({
    isWhole: false,
    head: 'line 0\nline 1\nline 2\nline 3\n',
    tail: 'line 97\nline 98\nline 99\n',
    leftOut: { characters: lines.length - 28 - 24, lines: 93 },
  })
})

it('never splits a surrogate pair', () => {
  expect(clip('😀😀😀', 4)).toEqual({
    isWhole: false,
    head: '😀',
    tail: '😀',
    leftOut: { characters: 2, lines: 1 },
  })
  expect(clip('😀😀😀', 2)).toMatchObject({ head: '', tail: '' })
  expect(clipEnd('a😀', 2)).toBe('a')
  expect(clipEnd('a😀', 3)).toBe('a😀')
})

it('keeps no more than the limit, and accounts for all of the text, whatever it is', () => {
  const text = fc.string({ unit: fc.constantFrom('a', '\n', '😀', 'é'), maxLength: 60 })
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 60 }), (whole, limit) => {
      const clipped = clip(whole, limit)
      expect(clipped.isWhole).toBe(whole.length <= limit)
      if (clipped.isWhole) return
      const { head, tail, leftOut } = clipped
      expect(head.length + tail.length).toBeLessThanOrEqual(limit)
      expect(head.length + tail.length + leftOut.characters).toBe(whole.length)
      expect([whole.startsWith(head), whole.endsWith(tail)]).toEqual([true, true])
      expect([head.isWellFormed(), tail.isWellFormed()]).toEqual([true, true])
    }),
  )
})

it('counts lines as a reader does', () => {
  expect(['', 'a', 'a\n', 'a\nb', '\n', '\n\n'].map(countLines)).toEqual([0, 1, 1, 2, 1, 2])
})
