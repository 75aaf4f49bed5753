import fc from 'fast-check'
import { codePoint } from '../support/code-point.ts'

const hostile = fc.constantFrom(
  "'",
  '"',
  '\\',
  '\\\n',
  '$HOME',
  '$(exit 9)',
  '`id`',
  '*',
  '?',
  '[a]',
  '{a,b}',
  '~',
  '!',
  '#',
  ';',
  '&&',
  '|',
  '>',
  '\n',
  '\r',
  '\r\n',
  '\r\n',
  '\t',
  ' ',
  '-n',
  '--',
  '=',
  '%s',
  '\u{1b}[0m',
)

/** Any word: empty ones, quotes, line breaks, options and globs more often than others. */
const word = fc
  .oneof(
    fc.constant(''),
    fc.array(fc.oneof(hostile, fc.string({ maxLength: 3 })), { maxLength: 6 }).map((parts) => parts.join('')),
    fc.string({ unit: 'grapheme' }),
    fc.string({ unit: codePoint }),
  )
  .filter((text) => !text.includes('\0') && text.isWellFormed())

/** Any words that a program can be given. */
export const anyWords = fc.array(word, { maxLength: 12 })

/** An argv that prints words so that one is told from another. */
export function printing(words: readonly string[]): readonly string[] {
  return ['printf', '<%s>', 'first', ...words, 'last']
}

/** What it prints. */
export function printed(words: readonly string[]): string {
  return ['first', ...words, 'last'].map((each) => `<${each}>`).join('')
}
