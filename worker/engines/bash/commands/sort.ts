import type { CommandContext } from '../just-bash.ts'
import { type Answer, bytes, done, failed, type OwnCommand, readInput, reason } from './command.ts'
import { shuffled } from './shuffled.ts'
import { compareKeys, keyText, orderOf, parseKey, type SortKey } from './sort-keys.ts'

interface SortOptions {
  letters: string
  readonly keys: SortKey[]
  separator: string | undefined
  output: string | undefined
  readonly paths: string[]
}

const LONG: Readonly<Record<string, string>> = {
  '--reverse': 'r',
  '--numeric-sort': 'n',
  '--general-numeric-sort': 'g',
  '--human-numeric-sort': 'h',
  '--version-sort': 'V',
  '--month-sort': 'M',
  '--unique': 'u',
  '--stable': 's',
  '--ignore-case': 'f',
  '--ignore-leading-blanks': 'b',
  '--dictionary-order': 'd',
  '--zero-terminated': 'z',
  '--random-sort': 'R',
  '--check': 'c',
  '--merge': 'm',
}

const VALUES: Readonly<Record<string, string>> = {
  '--key': 'k',
  '--field-separator': 't',
  '--output': 'o',
  '--buffer-size': 'S',
  '--temporary-directory': 'T',
  '--parallel': 'P',
}

/** Options and operands in any order; a text says what is wrong with them. */
function read(args: readonly string[]): SortOptions | string {
  const found: SortOptions = { letters: '', keys: [], separator: undefined, output: undefined, paths: [] }
  const words = [...args]
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    if (word === '--') {
      found.paths.push(...words)
      break
    }
    const long = /^(--[a-z-]+)(?:=(.*))?$/s.exec(word)
    if (long !== null) {
      const [, name = '', value] = long
      const letter = LONG[name]
      const takes = VALUES[name]
      if (letter !== undefined) found.letters += letter
      else if (takes === undefined) return `unrecognized option '${word}'`
      else {
        const wrong = take(takes, value ?? words.shift() ?? '', found)
        if (wrong !== undefined) return wrong
      }
    } else if (word.startsWith('-') && word !== '-') {
      const wrong = short(word, words, found)
      if (wrong !== undefined) return wrong
    } else found.paths.push(word)
  }
  return found
}

function short(word: string, words: string[], found: SortOptions): string | undefined {
  for (let at = 1; at < word.length; at += 1) {
    const letter = word[at] ?? ''
    if ('ktoST'.includes(letter)) return take(letter, word.slice(at + 1) || (words.shift() ?? ''), found)
    if (!'bdfghMnrVuszRcCm'.includes(letter)) return `invalid option -- '${letter}'`
    found.letters += letter
  }
  return undefined
}

function take(letter: string, value: string, found: SortOptions): string | undefined {
  if (letter === 'o') found.output = value
  else if (letter === 't') {
    const separator = value === '\\0' ? '\0' : value
    if (separator.length !== 1) return value === '' ? 'empty tab' : `multi-character tab '${value}'`
    found.separator = separator
  } else if (letter === 'k') {
    const key = parseKey(value)
    if (key === undefined) return `invalid field specification '${value}'`
    found.keys.push(key)
  }
  return undefined
}

/** Compares lines by their keys, and as a whole where these are equal. */
function comparison({ letters, keys, separator }: SortOptions): (left: string, right: string) => number {
  const order = orderOf(letters)
  const used = keys.map((key) => (key.inherits ? { ...key, order } : key))
  const known = new Map<string, readonly string[]>()
  const textsOf = (line: string) => {
    const texts = known.get(line) ?? used.map((key) => keyText(line, key, separator))
    known.set(line, texts)
    return texts
  }
  const byKeys = (left: string, right: string) => {
    const [ours, theirs] = [textsOf(left), textsOf(right)]
    for (const [at, key] of used.entries()) {
      const result = compareKeys(ours[at] ?? '', theirs[at] ?? '', key.order)
      if (result !== 0) return result
    }
    return keys.length === 0 ? compareKeys(left, right, order) : 0
  }
  if (/[us]/.test(letters)) return byKeys
  const whole = orderOf(order.reverse ? 'r' : '')
  return (left, right) => byKeys(left, right) || compareKeys(left, right, whole)
}

async function linesOf(options: SortOptions, context: CommandContext): Promise<string[] | Answer> {
  const ends = options.letters.includes('z') ? '\0' : '\n'
  const lines: string[] = []
  for (const path of options.paths.length === 0 ? ['-'] : options.paths) {
    try {
      const text = await readInput(path, context)
      const found = text.split(ends)
      if (found.at(-1) === '') found.pop()
      for (const line of found) lines.push(line)
    } catch (error) {
      return failed('sort', `cannot read: ${path}: ${reason(error)}`, 2)
    }
  }
  return lines
}

/** `sort` in the order of the C locale. Bytes are compared, not letters of a language. */
export const sort: OwnCommand = {
  name: 'sort',
  async run(args, context) {
    const options = read(args)
    if (typeof options === 'string') return failed('sort', options, 2)
    const lines = await linesOf(options, context)
    if (!Array.isArray(lines)) return lines
    const compare = comparison(options)
    const { letters, output } = options
    if (/[cC]/.test(letters)) return checked(lines, options, compare)
    const sorted = letters.includes('R') ? shuffled(lines) : lines.sort(compare)
    const kept = letters.includes('u')
      ? sorted.filter((line, at) => at === 0 || compare(sorted[at - 1] ?? '', line) !== 0)
      : sorted
    const ends = letters.includes('z') ? '\0' : '\n'
    const text = kept.length === 0 ? '' : kept.join(ends) + ends
    if (output === undefined) return bytes(text)
    await context.fs.writeFile(context.fs.resolvePath(context.cwd, output), Buffer.from(text, 'latin1'))
    return done()
  },
}

function checked(
  lines: readonly string[],
  { letters, paths }: SortOptions,
  compare: (left: string, right: string) => number,
): Answer {
  const unique = letters.includes('u')
  const at = lines.findIndex((line, index) => {
    const result = index === 0 ? -1 : compare(lines[index - 1] ?? '', line)
    return unique ? result >= 0 && index > 0 : result > 0
  })
  if (at < 0) return done()
  return letters.includes('C')
    ? done('', 1)
    : failed('sort', `${paths[0] ?? '-'}:${at + 1}: disorder: ${lines[at]}`)
}
