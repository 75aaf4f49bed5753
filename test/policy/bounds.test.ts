import fc from 'fast-check'
import { expect, it } from 'vitest'
import { analyzeScript } from '../../src/policy/analyze/analyze-script.ts'
import { isFull } from '../support/tier.ts'

const MEBIBYTE = 1_048_576

/** What a hostile text is made of. */
const pieces = [
  ...['$(', '`', '((', '(', '{ ', '<<a ', '<<a\n', '"', "'", '"$(', '${x:-', '[[ ', '$((', 'a ', 'a;', 'a|'],
  ...[
    '$[',
    'if ',
    'case x in ',
    '{a,',
    '@(',
    '<(',
    'f(){ ',
    '! ',
    'a=(',
    'a[',
    '$x',
    '*',
    '<<<',
    "$'",
    '\\`',
  ],
  ...[
    'xargs ',
    'env ',
    'eval "',
    "sh -c '",
    '\\',
    '\n',
    ')',
    '}',
    ']',
    'fi',
    'esac',
    'find . -exec ',
    'rm',
    '\0',
    '\ud800',
  ],
]

it.each(pieces)('a mebibyte of %j is read or said to be unreadable, in time', (piece) => {
  const start = performance.now()
  const { parsed, opaque } = analyzeScript(
    piece.repeat(Math.floor((isFull ? MEBIBYTE : MEBIBYTE / 32) / piece.length)),
  )
  expect(parsed || opaque[0]?.kind === 'syntax').toBe(true)
  // Tens of milliseconds on an idle machine.
  expect(performance.now() - start).toBeLessThan(10_000)
})

it('a text of more than a mebibyte is not read', () => {
  expect(analyzeScript('a'.repeat(MEBIBYTE)).parsed).toBe(true)
  expect(analyzeScript('a'.repeat(MEBIBYTE + 1)).opaque[0]?.kind).toBe('syntax')
})

it('a nest of programs, of scripts and of substitutions beyond a bound is not read', () => {
  const scripts = (depth: number): string =>
    depth === 0 ? 'rm' : `eval ${JSON.stringify(scripts(depth - 1)).replaceAll('$', '\\$')}`
  expect(analyzeScript(`${'env '.repeat(20)}rm`).commands.at(-1)?.name).toBe('rm')
  expect(analyzeScript(`${'env '.repeat(40)}rm`).parsed).toBe(false)
  expect(analyzeScript(scripts(5)).commands.at(-1)?.name).toBe('rm')
  expect(analyzeScript(`${'$('.repeat(50)}rm${')'.repeat(50)}`).commands.at(-1)?.name).toBe('rm')
  expect(analyzeScript(`${'$('.repeat(5000)}rm${')'.repeat(5000)}`).parsed).toBe(false)
  expect(analyzeScript(';a'.repeat(60_000).slice(1)).parsed).toBe(false)
})

it('no text makes it throw', () => {
  const text = fc.array(fc.oneof(fc.constantFrom(...pieces), fc.string({ maxLength: 4 })), { maxLength: 30 })
  fc.assert(
    fc.property(text, (parts) => {
      const analysis = analyzeScript(parts.join(''))
      return analysis.parsed || analysis.opaque.length === 1
    }),
    { numRuns: isFull ? 100_000 : 500 },
  )
})
