import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readCommand } from '../../../src/argv/shell/read-command.ts'
import { hasShellOperator } from '../../../src/argv/shell/shell-operators.ts'
import { splitWords } from '../../../src/argv/shell/split-words.ts'
import { shellQuote } from '../../../src/sandbox/quoting.ts'
import { cases } from '../../support/tier.ts'
import { anyWords } from '../words.ts'

describe('splitting a command into words', () => {
  it.each([
    ['', []],
    [' \t ', []],
    ['git  log\t-5 ', ['git', 'log', '-5']],
    [`"git" 'log'`, ['git', 'log']],
    ['g"i"\'t\'', ['git']],
    [`a '' "" b`, ['a', '', '', 'b']],
    [`''a`, ['a']],
    [String.raw`a\ b \'c \\ \"`, ['a b', "'c", '\\', '"']],
    [String.raw`'a\b'`, ['a\\b']],
    ['"a\\b \\" \\\\ \\$ \\`"', ['a\\b " \\ $ `']],
    ['a\\\nb "c\\\nd"', ['ab', 'cd']],
    ['"\\\\\n"', ['\\\n']],
    ['a\nb\rc', ['a', 'b', 'c']],
    ['{a,b} $HOME ~ *.md a#b #c', ['{a,b}', '$HOME', '~', '*.md', 'a#b', '#c']],
    ['a\u00a0b', ['a\u00a0b']],
  ])('reads %j', (command, words) => {
    expect(splitWords(readCommand(command) ?? [])).toEqual(words)
  })

  it.each(["'", '"', 'a "b', "it's", 'a\\', '"\\"', `'"`])(
    'has no words for %j, whose quotes are open',
    (command) => {
      expect(readCommand(command)).toBeUndefined()
    },
  )

  it('splits quoted words into the original words', () => {
    fc.assert(
      fc.property(anyWords, (words) => {
        expect(splitWords(readCommand(words.map(shellQuote).join(' ')) ?? [])).toEqual(words)
      }),
    )
  })

  it('agrees with sh where nothing is to be expanded', () => {
    const part = fc.constantFrom('a', 'b', ' ', '\t', "'", '"', '\\', '=', '-', '\\\n', '/', 'é')
    const commands = fc.array(part, { maxLength: 14 }).map((parts) => parts.join(''))
    fc.assert(
      fc.property(commands, (command) => {
        fc.pre(!hasShellOperator(readCommand(command) ?? []))
        expect(wordsOf(command)).toEqual(wordsOfSh(command))
      }),
      { numRuns: cases(100) },
    )
  })

  it('splits a long command', () => {
    const long = `echo "${'a\\"b'.repeat(100_000)}" ${'x '.repeat(100_000)}`
    expect(wordsOf(long)?.length).toBe(100_002)
  })
})

describe('a shell operator', () => {
  it.each([
    'a > b',
    'a>>b',
    'a <b',
    'a|b',
    'a;b',
    'a &',
    'a&&b',
    'a || b',
    '`a`',
    '$(a)',
    'a $((1))',
    'a\nb',
    'a\rb',
    'a <(b)',
    '2>&1',
    '$\\\n(a)',
  ])('is seen in %j', (command) => {
    expect(hasShellOperator(readCommand(command) ?? [])).toBe(true)
  })

  it.each([
    `'>' ">" \\> \\;`,
    `"$(a)" '\`a\`' "\`a\`"`,
    '"a\nb"',
    '$HOME {a,b} * ~',
    '$ (a)',
    '$""(a)',
    "$'(a)'",
  ])('is not seen in %j', (command) => {
    expect(hasShellOperator(readCommand(command) ?? [])).toBe(false)
  })
})

function wordsOf(command: string): readonly string[] | undefined {
  const pieces = readCommand(command)
  return pieces === undefined ? undefined : splitWords(pieces)
}

function wordsOfSh(command: string): readonly string[] | undefined {
  try {
    const script = `printf '%s\\0' first ${command}\n`
    const printed = execFileSync('sh', ['-c', script], { stdio: ['ignore', 'pipe', 'ignore'] }).toString()
    // A backslash at the very end is no open quote to sh, and one before our line break joins lines.
    return endsOpen(command) ? undefined : printed.split('\0').slice(1, -1)
  } catch {
    return undefined // sh says that a quote is not closed.
  }
}

function endsOpen(command: string): boolean {
  return readCommand(command) === undefined && readCommand(`${command}x`) !== undefined
}
