import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findTextFault } from '../../src/sandbox/text.ts'
import { codePoint } from '../support/code-point.ts'

describe('findTextFault', () => {
  test('finds a NUL character and says where', () => {
    expect(findTextFault('abc\0d')).toBe('holds a NUL character at offset 3')
  })

  test.each(['\ud83d', 'a\ude00b', '\ude00\ud83d'])('finds lone surrogates (%#)', (text) => {
    expect(findTextFault(text)).toBe('holds half of a surrogate pair, which no encoding can carry')
  })

  test('accepts text that UTF-8 can encode', () => {
    fc.assert(
      fc.property(fc.string({ unit: codePoint }), (text) => {
        const carried = Buffer.from(text, 'utf8').toString('utf8') === text && !text.includes('\0')
        expect(findTextFault(text) === undefined).toBe(carried)
      }),
    )
  })
})
