import { byTier } from '../support/tier.ts'

const codes = Array.from({ length: 127 }, (_, index) => String.fromCharCode(index + 1))
const ascii = codes.filter((character) => character !== '/')
const special = ascii.filter((character) => !/[a-z0-9]/i.test(character))

/** Names that a shell, a pattern, a format, an option or JavaScript reads as something else. */
const words = [
  ...[
    '-',
    '--',
    '-rf',
    '-n',
    '--help',
    '~',
    '~root',
    '$HOME',
    '$(touch x)',
    '`touch x`',
    '*',
    '?',
    '[a]',
    '[!a]',
  ],
  ...[
    '{a,b}',
    '!!',
    '&&',
    '||',
    '> x',
    '<(x)',
    ';',
    '#',
    "'",
    "''",
    "'\\''",
    '"',
    '\\',
    '\\\\',
    '\\n',
    '%s',
    '%00',
  ],
  ...[
    '\r',
    '\n',
    '\r\n',
    'a\r\nb',
    'a\n',
    '\na',
    ' ',
    ' a ',
    '\t',
    '...',
    '.a',
    '..a',
    'a.',
    '-.',
    '.-',
    '=',
    'a=b',
  ],
  ...[
    '__proto__',
    'constructor',
    'toString',
    'length',
    '0',
    'NaN',
    'null',
    'true',
    'EOF',
    'if',
    'done',
    '[',
    '[[',
  ],
  ...[
    '\u0080',
    '\u00a0',
    '\u00e9',
    'e\u0301',
    '\u200b',
    '\u202e',
    '\u2028',
    '\ufeff',
    '\ufffd',
    '\uffff',
    '\u{1f4a5}',
  ],
  ...['x'.repeat(255), '\u00e4'.repeat(127), '\u{1f4a5}'.repeat(63), '\r\n'.repeat(127)],
]

/** Every character of ASCII by itself, around and within a name, and all pairs of those that are neither letter nor digit. */
const spelt = [
  ...ascii.flatMap((one) => [one, `a${one}b`]),
  ...special.flatMap((one) => special.map((other) => one + other)),
]

const all = [...new Set([...words, ...spelt])].filter((name) => name !== '.' && name !== '..')

/** Odd names of files: one in so many of those that are spelt out, and the words; in the default tier one in three. */
export function oddNames(oneIn: number): readonly string[] {
  const ofWords = byTier({ default: 3, full: 1 })
  return all.filter((_, index) => index % (index < words.length ? ofWords : oneIn) === 0)
}
