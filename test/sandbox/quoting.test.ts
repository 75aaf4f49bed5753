import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { shellQuote } from '../../src/sandbox/quoting.ts'
import { codePoint } from '../support/code-point.ts'
import { cases } from '../support/tier.ts'

describe('shellQuote', () => {
  test.each([
    ['', "''"],
    ['plain', "'plain'"],
    ["it's", String.raw`'it'\''s'`],
    ["'", String.raw`''\'''`],
    ['$(id) `id` "$HOME" \\ !', '\'$(id) `id` "$HOME" \\ !\''],
    ['two\nlines', "'two\nlines'"],
    ['two\r\nlines', "'two\r''\nlines'"],
  ])('quotes %j as one literal word', (value, quoted) => {
    expect(shellQuote(value)).toBe(quoted)
  })

  test('passes any words to a real shell unchanged', () => {
    const hostile = fc.constantFrom(
      "'",
      "''",
      '"',
      '\\',
      '$',
      '`',
      '\n',
      '\r',
      ' ',
      '-n',
      '$(exit 9)',
      '*',
      '~',
      '!',
      '\t',
    )
    const word = fc.oneof(
      fc
        .array(fc.oneof(hostile, fc.string({ unit: codePoint })), { maxLength: 12 })
        .map((parts) => parts.join('')),
      fc.string({ unit: 'grapheme' }),
    )
    const words = fc.array(
      word.filter((value) => !value.includes('\0')),
      { minLength: 1, maxLength: 40 },
    )
    fc.assert(
      fc.property(words, (values) => {
        const printed = execFileSync('sh', ['-c', `printf '%s\\0' ${values.map(shellQuote).join(' ')}`])
        expect(printed.toString('utf8')).toBe(values.map((value) => `${value}\0`).join(''))
      }),
      { numRuns: cases(20) },
    )
  })
})
