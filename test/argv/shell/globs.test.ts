import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { globsMeet, literalGlob, parseGlob } from '../../../src/argv/shell/globs.ts'
import { cases } from '../../support/tier.ts'

describe('a glob', () => {
  it.each([
    ['*', '', true],
    ['*', 'a/b', true],
    ['*.md', 'a/b.md', true],
    ['*.md', 'a.mdx', false],
    ['?', '💥', true],
    ['?', '', false],
    ['[a-c]x', 'bx', true],
    ['[a-c]x', 'dx', false],
    ['[!a-c]', 'd', true],
    ['[^a-c]', 'b', false],
    ['[]]', ']', true],
    ['[!]]', ']', false],
    ['[a-]', '-', true],
    ['[a', '[a', true],
    ['a(b)|{c,d}+', 'a(b)|{c,d}+', true],
    ['a.c', 'abc', false],
    ['a\\*', 'a\\b', true],
    ['**/x', 'a/b/x', true],
    ['**/x', 'x', false],
  ])('%j matches %j: %s', (pattern, text, expected) => {
    expect(globsMeet(parseGlob(pattern), literalGlob(text))).toBe(expected)
    expect(globsMeet(literalGlob(text), parseGlob(pattern))).toBe(expected)
  })

  it.each([
    ['*.env', 'a*', true],
    ['*.env', '*.md', false],
    ['a*b', 'ab*', true],
    ['?', '??', false],
    ['[ab]', '[bc]', true],
    ['a*', 'b*', false],
  ])('%j and %j have a text in common: %s', (a, b, expected) => {
    expect(globsMeet(parseGlob(a), parseGlob(b))).toBe(expected)
  })

  it.each([
    ['*.md', 'secrets/*', false],
    ['s*/x', 'secrets/*', true],
    ['**/x', 'secrets/*', true],
    ['*/x', '*/.env', false],
    ['a*c', 'a/*', false],
  ])('%j, whose stars stay in a name, and %j have a text in common: %s', (a, b, expected) => {
    expect(globsMeet(parseGlob(a, false), parseGlob(b))).toBe(expected)
    expect(globsMeet(parseGlob(b), parseGlob(a, false))).toBe(expected)
  })

  it('matches what a regular expression of the same meaning matches', () => {
    const characters = fc.constantFrom('a', 'b', '/', '.')
    const texts = fc.array(characters, { maxLength: 7 }).map((parts) => parts.join(''))
    const globs = fc.array(fc.oneof(characters, fc.constantFrom('*', '?', '[ab]', '[!a]')), { maxLength: 6 })
    fc.assert(
      fc.property(globs, texts, (parts, text) => {
        const expression = parts.map(toExpression).join('')
        const expected = new RegExp(`^${expression}$`, 's').test(text)
        expect(globsMeet(parseGlob(parts.join('')), literalGlob(text))).toBe(expected)
      }),
      { numRuns: cases(500) },
    )
  })

  it('overlaps every other glob that matches the same text', () => {
    const characters = fc.constantFrom('a', 'b', '/')
    const texts = fc.array(characters, { minLength: 1, maxLength: 7 })
    fc.assert(
      fc.property(texts, fc.func(fc.boolean()), fc.func(fc.boolean()), (text, hideA, hideB) => {
        const hidden = (hide: (index: number) => boolean) =>
          parseGlob(text.map((character, index) => (hide(index) ? '*' : character)).join(''))
        expect(globsMeet(hidden(hideA), hidden(hideB))).toBe(true)
      }),
    )
  })

  it('is matched in linear time', () => {
    const started = performance.now()
    expect(globsMeet(parseGlob(`${'*a'.repeat(100)}b`), literalGlob('a'.repeat(2000)))).toBe(false)
    expect(performance.now() - started).toBeLessThan(5000)
  })
})

function toExpression(part: string): string {
  if (part === '*') return '.*'
  if (part === '?') return '.'
  if (part === '[!a]') return '[^a]'
  return part === '.' ? '\\.' : part
}
