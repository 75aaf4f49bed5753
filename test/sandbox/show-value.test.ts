import { describe, expect, test } from 'vitest'
import { kindOf, quote, showValue } from '../../src/sandbox/show-value.ts'

const hostile = {
  toString(): string {
    throw new Error('ran')
  },
  toJSON(): string {
    throw new Error('ran')
  },
}
const { proxy: revoked, revoke } = Proxy.revocable<object>([], {})
revoke()

describe('kindOf', () => {
  test.each([
    [undefined, 'undefined'],
    [null, 'null'],
    ['', 'a string of 0 characters'],
    ['x', 'a string of 1 character'],
    ['hush', 'a string of 4 characters'],
    [1, 'a number'],
    [1n, 'a bigint'],
    [true, 'a boolean'],
    [Symbol('hush'), 'a symbol'],
    [(): void => undefined, 'a function'],
    [['hush'], 'an array'],
    [hostile, 'an object'],
    [new Map(), 'an object'],
  ])('names the kind of a value and nothing of what it holds', (value, kind) => {
    expect(kindOf(value)).toBe(kind)
  })

  test('runs no code of a proxy', () => {
    expect(kindOf(revoked)).toBe('an object')
  })
})

describe('showValue', () => {
  test.each([
    ['a', '"a" (a string)'],
    [Number.NaN, 'NaN (a number)'],
    [-0, '-0 (a number)'],
    [10n, '10 (a bigint)'],
    [false, 'false (a boolean)'],
    [undefined, 'undefined'],
    [hostile, 'an object'],
    [Symbol('x'), 'a symbol'],
  ])('shows simple values and names the others', (value, shown) => {
    expect(showValue(value)).toBe(shown)
  })

  test('cuts long strings and escapes what a terminal would act on', () => {
    expect(showValue('x'.repeat(1_000_000))).toBe(`"${'x'.repeat(40)}…" (a string)`)
    expect(quote('a\u001b[2J\u202e\u009b\n"\ud800')).toBe(String.raw`"a\u001b[2J\u{202e}\u{9b}\n\"\ud800"`)
  })
})
