import { PatternError, readBracket } from './bracket.ts'

/** How a pattern is read. */
export interface Dialect {
  /** `a+` or `a\+`. */
  readonly syntax: 'extended' | 'basic'
  /** Whose escapes hold. */
  readonly program: 'awk' | 'sed' | 'grep'
  readonly ignoreCase?: boolean
  /** `^` and `$` match at lines inside a text. */
  readonly multiline?: boolean
  /** Whether a match must be whole words, or the whole text. */
  readonly whole?: 'words' | 'text' | undefined
}

const CONTROL: Readonly<Record<string, string>> = {
  n: '\\n',
  t: '\\t',
  r: '\\r',
  f: '\\f',
  v: '\\v',
  a: '\\x07',
}
const EDGES: Readonly<Record<string, string>> = {
  '<': '\\b(?=\\w)',
  '>': '\\b(?<=\\w)',
  B: '\\B',
  w: '\\w',
  W: '\\W',
  s: '\\s',
  S: '\\S',
  '`': '(?<![\\s\\S])',
  "'": '(?![\\s\\S])',
}
const EMPTY_WIDTH = new Set(['<', '>', 'B', 'b', 'y', '`', "'"])

const literal = (character: string) => (/[\^$\\.*+?()[\]{}|/]/.test(character) ? `\\${character}` : character)

interface Alternative {
  pieces: string[]
  /** Whether it matches one text only. */
  fixed: boolean
}

/** A parsed expression: its alternatives with the groups before and inside each. */
export interface Parsed {
  readonly source: string
  readonly alternatives: readonly {
    readonly source: string
    readonly before: number
    readonly groups: number
  }[]
  readonly groups: number
}

/** Reads one pattern of POSIX, and writes it as JavaScript has it with the flags `s` and `u`. */
export class PatternReader {
  readonly #text: string
  readonly #dialect: Dialect
  #at = 0
  #groups = 0
  #closed = 0

  constructor(text: string, dialect: Dialect) {
    this.#text = text
    this.#dialect = dialect
  }

  read(): Parsed {
    const { texts, counts } = this.#alternatives(0)
    const alternatives = texts.map((source, at) => ({
      source,
      before: counts[at] ?? 0,
      groups: (counts[at + 1] ?? 0) - (counts[at] ?? 0),
    }))
    return { source: texts.join('|'), alternatives, groups: this.#groups }
  }

  get #extended(): boolean {
    return this.#dialect.syntax === 'extended'
  }

  /** The operator here: `(`, `)`, `|`, `{` as the syntax writes it. */
  #operator(): string {
    const character = this.#text[this.#at] ?? ''
    if (this.#extended) return '()|{+?'.includes(character) ? character : ''
    const next = this.#text[this.#at + 1] ?? ''
    return character === '\\' && next !== '' && '()|{+?'.includes(next) ? next : ''
  }

  #skip(): void {
    this.#at += this.#extended ? 1 : 2
  }

  #alternatives(depth: number): { texts: string[]; counts: number[] } {
    const found: Alternative[] = []
    const counts = [this.#groups]
    for (;;) {
      found.push(this.#alternative(depth))
      counts.push(this.#groups)
      if (this.#operator() !== '|') break
      this.#skip()
    }
    const texts = found.map(({ pieces }) => pieces.join(''))
    // The longest one matches, where JavaScript takes the first one.
    if (found.every(({ fixed }) => fixed)) texts.sort((left, right) => right.length - left.length)
    return { texts, counts }
  }

  #alternative(depth: number): Alternative {
    const found: Alternative = { pieces: [], fixed: true }
    let repeatable = false
    let repeated = false
    while (this.#at < this.#text.length) {
      const operator = this.#operator()
      if (operator === '|') break
      if (operator === ')' && (depth > 0 || !this.#extended || this.#dialect.program !== 'grep')) {
        if (depth === 0) throw new PatternError('Unmatched ) or \\)')
        break
      }
      const begins = found.pieces.length === 0 || !repeatable
      const quantifier = this.#quantifier(begins)
      if (quantifier === 'skip') continue
      if (quantifier !== undefined) {
        const last = found.pieces.pop() ?? ''
        found.pieces.push(`${repeated ? `(?:${last})` : last}${quantifier}`)
        repeated = true
        found.fixed = false
        continue
      }
      const [piece, kind] = this.#piece(begins, depth)
      found.pieces.push(piece)
      repeatable = kind !== 'edge'
      repeated = false
      if (kind !== 'character') found.fixed = false
    }
    return found
  }

  /** A quantifier here; `skip` for one that has nothing to repeat. */
  #quantifier(begins: boolean): string | undefined {
    const operator = this.#operator()
    const star = this.#text[this.#at] === '*'
    if (!star && operator !== '+' && operator !== '?' && operator !== '{') return undefined
    if (begins && !this.#extended) return undefined
    if (star || operator !== '{') {
      this.#at += star ? 1 : 0
      if (!star) this.#skip()
      return begins ? 'skip' : star ? '*' : operator
    }
    const close = this.#extended ? '\\}' : '\\\\\\}'
    const from = this.#at + (this.#extended ? 1 : 2)
    const interval = new RegExp(`^(\\d*)(,?)(\\d*)${close}`).exec(this.#text.slice(from))
    if (interval === null || interval[0].length === (this.#extended ? 1 : 2)) {
      if (!this.#extended) throw new PatternError('Unmatched \\{')
      return undefined
    }
    this.#at = from + interval[0].length
    const [, low = '', comma = '', high = ''] = interval
    if (high !== '' && Number(low) > Number(high)) throw new PatternError('Invalid content of \\{\\}')
    return begins ? 'skip' : `{${low === '' ? '0' : low}${comma}${high}}`
  }

  #piece(begins: boolean, depth: number): [string, 'character' | 'set' | 'edge'] {
    const { program } = this.#dialect
    if (this.#operator() === '(') return [this.#group(depth), 'set']
    const character = String.fromCodePoint(this.#text.codePointAt(this.#at) ?? 0)
    if (character === '[') {
      const escapes = program === 'awk' ? 'all' : program === 'sed' ? 'letters' : 'none'
      const [set, end] = readBracket(this.#text, this.#at, escapes)
      this.#at = end
      return [set, 'set']
    }
    if (character === '\\') return this.#escape()
    this.#at += character.length
    if (character === '.') return ['.', 'set']
    if (character === '^') return this.#extended || begins ? ['^', 'edge'] : ['\\^', 'character']
    if (character === '$') return this.#extended || this.#ends() ? ['$', 'edge'] : ['\\$', 'character']
    return [literal(character), 'character']
  }

  /** Whether `$` of a basic expression is an anchor here. */
  #ends(): boolean {
    return this.#at >= this.#text.length || this.#operator() === ')' || this.#operator() === '|'
  }

  #group(depth: number): string {
    this.#skip()
    this.#groups += 1
    const { texts } = this.#alternatives(depth + 1)
    if (this.#operator() !== ')') throw new PatternError('Unmatched ( or \\(')
    this.#skip()
    this.#closed += 1
    return `(${texts.join('|')})`
  }

  #escape(): [string, 'character' | 'set' | 'edge'] {
    const { program } = this.#dialect
    const next = this.#text[this.#at + 1]
    if (next === undefined) {
      if (program === 'awk') {
        this.#at += 1
        return ['\\\\', 'character']
      }
      throw new PatternError('Trailing backslash')
    }
    this.#at += 2
    const octal = program === 'awk' ? /^[0-7]{1,3}/.exec(this.#text.slice(this.#at - 1))?.[0] : undefined
    if (octal !== undefined) {
      this.#at += octal.length - 1
      return [literal(String.fromCodePoint(Number.parseInt(octal, 8))), 'character']
    }
    const hexadecimal =
      program === 'grep' ? null : /^x([0-9a-fA-F]{1,2})/.exec(this.#text.slice(this.#at - 1))
    if (hexadecimal !== null) {
      this.#at += hexadecimal[0].length - 1
      return [literal(String.fromCodePoint(Number.parseInt(hexadecimal[1] ?? '0', 16))), 'character']
    }
    if (program !== 'awk' && /[1-9]/.test(next)) {
      if (Number(next) > this.#closed) throw new PatternError('Invalid back reference')
      return [`(?:\\${next})`, 'set']
    }
    if (next === 'b' && program !== 'awk') return ['\\b', 'edge']
    if (next === 'y' && program === 'awk') return ['\\b', 'edge']
    if (next === 'b') return ['\\x08', 'character']
    if (program !== 'grep' && CONTROL[next] !== undefined) return [CONTROL[next] ?? '', 'character']
    const edge = EDGES[next]
    if (edge !== undefined) return [edge, EMPTY_WIDTH.has(next) ? 'edge' : 'set']
    return [literal(next), 'character']
  }
}
