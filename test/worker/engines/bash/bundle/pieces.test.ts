import { expect, test } from 'vitest'
import { edited, joined } from '../../../../../worker/engines/bash/bundle/pieces.ts'

const original = 'abcdef'
const whole = [[0, original.length]] as const

test.each([
  ['nothing', [], 'abcdef'],
  ['the begin', [{ start: 0, end: 2, to: 'X' }], 'Xcdef'],
  ['the end', [{ start: 5, end: 6, to: 'XYZ' }], 'abcdeXYZ'],
  ['between two characters', [{ start: 3, end: 3, to: '-' }], 'abc-def'],
  [
    'two places, the later one named first',
    [
      { start: 4, end: 5, to: '' },
      { start: 1, end: 2, to: 'BB' },
    ],
    'aBBcdf',
  ],
] as const)('edits change %s', (_what, edits, text) => {
  expect(joined(edited(whole, edits), original)).toBe(text)
})

test('edits of an edited text count its characters', () => {
  const once = edited(whole, [{ start: 1, end: 3, to: 'XYZ' }])
  expect(joined(once, original)).toBe('aXYZdef')
  // From the middle of what is new to the middle of what is old.
  expect(joined(edited(once, [{ start: 2, end: 5, to: '-' }]), original)).toBe('aX-ef')
})

test('two edits of one place are refused', () => {
  const edits = [
    { start: 0, end: 3, to: '' },
    { start: 2, end: 4, to: '' },
  ]
  expect(() => edited(whole, edits)).toThrow(new TypeError('Two edits change the text at 2.'))
})
