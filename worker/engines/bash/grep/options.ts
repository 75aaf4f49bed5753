import { type Answer, failed } from '../commands/command.ts'

/** What `grep` was asked for. */
export interface GrepOptions {
  kind: 'basic' | 'extended' | 'fixed' | 'perl'
  readonly flags: Set<string>
  readonly patterns: string[]
  readonly files: string[]
  before: number
  after: number
  limit: number
  separator: string | undefined
  label: string
  readonly include: string[]
  readonly exclude: string[]
  readonly excludeFolders: string[]
  readonly operands: string[]
  names: boolean | undefined
}

const FLAGS = 'ivwxclLonsqrRbzaZTyUI'
const VALUES = 'efmABCdD'
const KINDS: Readonly<Record<string, GrepOptions['kind']>> = {
  E: 'extended',
  F: 'fixed',
  G: 'basic',
  P: 'perl',
}

const LONG: Readonly<Record<string, string>> = {
  'ignore-case': 'i',
  'invert-match': 'v',
  'word-regexp': 'w',
  'line-regexp': 'x',
  count: 'c',
  'files-with-matches': 'l',
  'files-without-match': 'L',
  'only-matching': 'o',
  'line-number': 'n',
  'no-messages': 's',
  quiet: 'q',
  silent: 'q',
  recursive: 'r',
  'dereference-recursive': 'R',
  'byte-offset': 'b',
  'null-data': 'z',
  text: 'a',
  null: 'Z',
  'initial-tab': 'T',
  binary: 'U',
  'with-filename': 'H',
  'no-filename': 'h',
  'extended-regexp': 'E',
  'fixed-strings': 'F',
  'basic-regexp': 'G',
  'perl-regexp': 'P',
  regexp: 'e',
  file: 'f',
  'max-count': 'm',
  'after-context': 'A',
  'before-context': 'B',
  context: 'C',
  directories: 'd',
  devices: 'D',
}

/** Long options that change nothing here. */
const IGNORED = /^--(?:line-buffered|no-ignore-case|colou?r(?:=(?:auto|never|none|no))?)$/

const wrong = (message: string) => failed('grep', `${message}\nUsage: grep [OPTION]... PATTERNS [FILE]...`, 2)

/** Reads the words of a command. */
class GrepWords {
  readonly #words: string[]
  readonly found: GrepOptions

  constructor(args: readonly string[], kind: GrepOptions['kind']) {
    this.#words = [...args]
    this.found = {
      kind,
      flags: new Set(),
      patterns: [],
      files: [],
      before: 0,
      after: 0,
      limit: Number.POSITIVE_INFINITY,
      separator: '--',
      label: '(standard input)',
      include: [],
      exclude: [],
      excludeFolders: [],
      operands: [],
      names: undefined,
    }
  }

  read(): Answer | undefined {
    const { operands } = this.found
    for (let word = this.#words.shift(); word !== undefined; word = this.#words.shift()) {
      if (word === '--') {
        operands.push(...this.#words)
        return undefined
      }
      const answer = word.startsWith('--')
        ? this.#long(word)
        : /^-./.test(word)
          ? this.#letters(word)
          : undefined
      if (answer !== undefined) return answer
      if (!/^-./.test(word)) operands.push(word)
    }
    return undefined
  }

  #long(word: string): Answer | undefined {
    const { found } = this
    const [, name = '', value] = /^--([a-z-]+)(?:=([\s\S]*))?$/.exec(word) ?? []
    const lists: Readonly<Record<string, string[]>> = {
      include: found.include,
      exclude: found.exclude,
      'exclude-dir': found.excludeFolders,
    }
    const list = lists[name]
    if (list !== undefined || name === 'label' || name === 'group-separator' || name === 'binary-files') {
      const given = value ?? this.#words.shift()
      if (given === undefined) return wrong(`option '${word}' requires an argument`)
      if (list !== undefined) list.push(given)
      else if (name === 'label') found.label = given
      else if (name === 'group-separator') found.separator = given
      else if (given === 'text') found.flags.add('a')
      else if (given === 'without-match') found.flags.add('I')
      else if (given !== 'binary') return wrong('invalid argument for --binary-files')
      return undefined
    }
    if (name === 'no-group-separator') found.separator = undefined
    else if (LONG[name] !== undefined) return this.#letter(LONG[name] ?? '', value)
    else if (!IGNORED.test(word)) return wrong(`option '${word}' is not known here`)
    return undefined
  }

  #letters(word: string): Answer | undefined {
    for (let at = 1; at < word.length; at += 1) {
      const letter = word[at] ?? ''
      const rest = word.slice(at + 1)
      const digits = /^\d+/.exec(word.slice(at))?.[0]
      if (digits !== undefined) {
        this.found.before = Number(digits)
        this.found.after = Number(digits)
        at += digits.length - 1
        continue
      }
      const takes = VALUES.includes(letter)
      const answer = this.#letter(letter, takes && rest !== '' ? rest : undefined)
      if (answer !== undefined) return answer
      if (takes) return undefined
    }
    return undefined
  }

  #letter(letter: string, attached: string | undefined): Answer | undefined {
    const { found } = this
    const kind = KINDS[letter]
    if (kind !== undefined) found.kind = kind
    else if (letter === 'H' || letter === 'h') found.names = letter === 'H'
    else if (FLAGS.includes(letter)) found.flags.add(letter === 'y' ? 'i' : letter)
    else if (!VALUES.includes(letter)) return wrong(`invalid option -- '${letter}'`)
    else {
      const value = attached ?? this.#words.shift()
      if (value === undefined) return wrong(`option requires an argument -- '${letter}'`)
      return this.#value(letter, value)
    }
    return undefined
  }

  #value(letter: string, value: string): Answer | undefined {
    const { found } = this
    if (letter === 'e') found.patterns.push(value)
    else if (letter === 'f') found.files.push(value)
    else if (letter === 'd') {
      if (value === 'skip' || value === 'recurse') found.flags.add(value === 'skip' ? 'skip' : 'r')
      else if (value !== 'read') return wrong(`invalid argument '${value}' for '--directories'`)
    } else if (letter !== 'D') {
      if (!/^\d+$/.test(value))
        return wrong(letter === 'm' ? 'invalid max count' : `${value}: invalid context length argument`)
      if (letter === 'm') found.limit = Number(value)
      if (letter === 'B' || letter === 'C') found.before = Number(value)
      if (letter === 'A' || letter === 'C') found.after = Number(value)
    }
    return undefined
  }
}

export function readGrep(args: readonly string[], kind: GrepOptions['kind']): GrepOptions | Answer {
  const words = new GrepWords(args, kind)
  return words.read() ?? words.found
}
