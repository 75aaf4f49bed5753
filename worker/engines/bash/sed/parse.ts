import { PatternError } from '../text/bracket.ts'
import { characterOf, mendByteEscapes } from '../text/byte-escapes.ts'
import { compilePattern } from '../text/pattern.ts'
import { readReplacement } from './replacement.ts'
import { type Address, type SedCommand, SedError, type SedPattern, type Substitution } from './script.ts'

const PLAIN = new Set('dDgGhHnNpPxzF='.split(''))

/** Reads a script. */
export class SedParser {
  readonly #text: string
  readonly #extended: boolean
  #at = 0
  readonly #commands: SedCommand[] = []
  readonly #open: number[] = []
  readonly #labels = new Map<string, number>()

  constructor(text: string, extended: boolean) {
    this.#text = mendByteEscapes(text)
    this.#extended = extended
  }

  parse(): SedCommand[] {
    for (;;) {
      this.#skip(/[\s;]*/y)
      if (this.#at >= this.#text.length) break
      this.#command()
    }
    if (this.#open.length > 0) throw this.#error('unmatched `{')
    for (const command of this.#commands)
      if ('btT'.includes(command.letter)) {
        const target = command.text === '' ? this.#commands.length : this.#labels.get(command.text)
        if (target === undefined) throw new SedError(`can't find label for jump to \`${command.text}'`)
        command.target = target
      }
    return this.#commands
  }

  #error(message: string): SedError {
    return new SedError(`-e expression #1, char ${this.#at}: ${message}`)
  }

  /** What matches here, which is read. */
  #skip(expression: RegExp): string {
    expression.lastIndex = this.#at
    const found = expression.exec(this.#text)?.[0] ?? ''
    this.#at += found.length
    return found
  }

  #command(): void {
    const addresses = this.#addresses()
    this.#skip(/[ \t]*/y)
    const negated = this.#skip(/(?:![ \t]*)*/y) !== ''
    const letter = this.#text[this.#at] ?? ''
    this.#at += 1
    if (letter === '') throw this.#error('missing command')
    const base = { letter, addresses, negated, text: '', target: 0, range: undefined }
    if (letter === '}') {
      const open = this.#open.pop()
      const opened = open === undefined ? undefined : this.#commands[open]
      if (opened === undefined) throw this.#error('unexpected `}')
      opened.target = this.#commands.length
      this.#end()
    } else if (letter === '{') {
      this.#open.push(this.#commands.length)
      this.#commands.push(base)
    } else if (letter === '#') {
      if (addresses.length > 0) throw this.#error('comments don’t accept any addresses')
      this.#skip(/[^\n]*/y)
    } else if (letter === ':') {
      const label = this.#skip(/[ \t]*[^\s;]*/y).trim()
      if (label === '') throw this.#error('":" lacks a label')
      this.#labels.set(label, this.#commands.length)
    } else if (letter === 's') {
      const substitution = this.#substitution()
      this.#commands.push({ ...base, substitution })
    } else if (letter === 'y') {
      const map = this.#map()
      this.#commands.push({ ...base, map })
      this.#end()
    } else this.#commands.push({ ...base, text: this.#argument(letter) })
  }

  /** The text, label, name or number after a command's letter. */
  #argument(letter: string): string {
    if ('aic'.includes(letter)) return this.#lines()
    if ('btT'.includes(letter)) return this.#skip(/[ \t]*[^\s;}]*/y).trim()
    if ('rRwW'.includes(letter)) {
      const name = this.#skip(/[^\n]*/y).trim()
      if (name === '') throw this.#error('missing filename in r/R/w/W commands')
      return name
    }
    if ('qQlL'.includes(letter)) {
      const number = this.#skip(/[ \t]*\d*/y).trim()
      this.#end()
      return number
    }
    if (!PLAIN.has(letter)) throw this.#error(`unknown command: \`${letter}'`)
    this.#end()
    return ''
  }

  #end(): void {
    this.#skip(/[ \t]*/y)
    const next = this.#text[this.#at]
    if (next !== undefined && !/[;\n}#]/.test(next)) throw this.#error('extra characters after command')
  }

  /** The text of `a`, `i` and `c`: up to a line that no backslash continues. */
  #lines(): string {
    const [next] = this.#skip(/[ \t]*(?:\\(?:[ \t]*\n)?)?/y).trim()
    const raw = this.#skip(/(?:\\[\s\S]|[^\\\n])*\\?/y)
    if (raw === '' && next === undefined) throw this.#error("expected \\ after `a', `c' or `i'")
    const first = next === '\\' && this.#text[this.#at - raw.length - 1] === '\\' ? raw.slice(0, 1) : ''
    const rest = raw.slice(first.length)
    const plain = rest.replaceAll(/\\(x[0-9a-f]{2}|[\s\S]|$)/g, unescapeText)
    return `${first}${plain}\n`
  }

  #addresses(): Address[] {
    const first = this.#address()
    if (first === undefined) return []
    this.#skip(/[ \t]*/y)
    if (this.#text[this.#at] !== ',') {
      if (first.kind === 'line' && first.line === 0) throw this.#error('invalid usage of line address 0')
      return [first]
    }
    this.#at += 1
    this.#skip(/[ \t]*/y)
    const relative = this.#skip(/[+~]\d+/y)
    const number = Number(relative.slice(1))
    if (relative.startsWith('+')) return [first, { kind: 'count', count: number }]
    if (relative.startsWith('~')) return [first, { kind: 'multiple', of: number }]
    const second = this.#address()
    if (second === undefined) throw this.#error('unexpected `,')
    if (first.kind === 'line' && first.line === 0 && second.kind !== 'pattern')
      throw this.#error('invalid usage of line address 0')
    return [first, second]
  }

  #address(): Address | undefined {
    const number = this.#skip(/\d+(?:~\d+)?/y)
    if (number !== '') {
      const [first = 0, step] = number.split('~').map(Number)
      return step === undefined ? { kind: 'line', line: first } : { kind: 'step', first, step }
    }
    const next = this.#text[this.#at]
    if (next === '$') {
      this.#at += 1
      return { kind: 'last' }
    }
    if (next !== '/' && next !== '\\') return undefined
    this.#at += next === '/' ? 1 : 2
    const source = this.#delimited(this.#text[this.#at - 1] ?? '/', true, 'unterminated address regex')
    return { kind: 'pattern', pattern: this.#pattern(source, this.#skip(/[IM]*/y)) }
  }

  /** What stands before an unescaped delimiter, which is read too. */
  #delimited(delimiter: string, isPattern: boolean, message: string): string {
    let found = ''
    while (this.#at < this.#text.length) {
      const character = this.#text[this.#at] ?? ''
      this.#at += 1
      if (character === delimiter) return found
      if (character === '\\') {
        const next = this.#text[this.#at] ?? ''
        this.#at += 1
        if (next === delimiter)
          found += isPattern && /[*.[\]^$+?(){}|&]/.test(next) ? literal(next, this.#extended) : next
        else found += `\\${next}`
      } else if (character === '[' && isPattern) {
        const bracket = /\[\^?\]?(?:\[[:.=][^\]\n]*[:.=]\]|[^\]\n])*\]/y
        bracket.lastIndex = this.#at - 1
        const whole = bracket.exec(this.#text)?.[0] ?? '['
        found += whole
        this.#at += whole.length - 1
      } else found += character
    }
    throw this.#error(message)
  }

  #pattern(source: string, flags: string): SedPattern {
    if (source === '') return undefined
    try {
      return compilePattern(source.replaceAll(/\\(x[0-9a-f]{2}|c[@-_a-z])|\\[\s\S]/g, inPattern), {
        syntax: this.#extended ? 'extended' : 'basic',
        program: 'sed',
        ignoreCase: /i/i.test(flags),
        multiline: /m/i.test(flags),
      })
    } catch (error) {
      if (error instanceof PatternError) throw this.#error(error.message)
      throw error
    }
  }

  #substitution(): Substitution {
    const delimiter = this.#delimiter('s')
    const source = this.#delimited(delimiter, true, "unterminated `s' command")
    const parts = readReplacement(this.#delimited(delimiter, false, "unterminated `s' command"))
    const flags = this.#skip(/[gpiImMe0-9]*/y)
    if (flags.includes('e')) throw this.#error('the flag e, which runs commands, is not known here')
    const file =
      this.#text[this.#at] === 'w'
        ? this.#skip(/w[^\n]*/y)
            .slice(1)
            .trim()
        : undefined
    if (file === undefined) {
      this.#skip(/[ \t]*/y)
      if (!/[;\n}#]/.test(this.#text[this.#at] ?? ';')) throw this.#error("unknown option to `s'")
    }
    const from = Number(/\d+/.exec(flags)?.[0] ?? 1)
    if (from === 0) throw this.#error("number option to `s' command may not be zero")
    const pattern = this.#pattern(source, flags)
    for (const part of parts)
      if (part.kind === 'group' && pattern !== undefined && part.group > pattern.groups)
        throw this.#error(`invalid reference \\${part.group} on \`s' command's RHS`)
    return { pattern, parts, global: flags.includes('g'), print: flags.includes('p'), from, file }
  }

  #delimiter(letter: string): string {
    const delimiter = this.#text[this.#at] ?? '\n'
    this.#at += 1
    if (delimiter === '\n' || delimiter === '\\') throw this.#error(`unterminated \`${letter}' command`)
    return delimiter
  }

  #map(): ReadonlyMap<string, string> {
    const delimiter = this.#delimiter('y')
    const [from = [], to = []] = [0, 1].map(() => [
      ...this.#delimited(delimiter, false, "unterminated `y' command").replaceAll(
        /\\(x[0-9a-f]{2}|[\s\S])/g,
        unescapeOne,
      ),
    ])
    if (from.length !== to.length) throw this.#error("strings for `y' command are different lengths")
    return new Map(from.map((character, at) => [character, to[at] ?? '']))
  }
}

/** As GNU sed has it, the character is as special as if it were written; only a backslash is not. */
function inPattern(whole: string, code: string | undefined): string {
  const character = code === undefined ? whole : (characterOf(code) ?? whole)
  return character === '\\' ? '\\\\' : character
}

const unescapeOne = (whole: string, one: string) =>
  characterOf(one) ?? { n: '\n', t: '\t', r: '\r', '\\': '\\' }[one] ?? whole

const unescapeText = (_: string, one: string) => characterOf(one) ?? { n: '\n', t: '\t' }[one] ?? one

/** A delimiter inside its own expression stands for itself. */
function literal(character: string, extended: boolean): string {
  const special = extended ? '*.[^$+?(){}|' : '*.[^$'
  return special.includes(character) ? `\\${character}` : character
}
