import { AwkError } from './error.ts'

const SPECIAL = /[\\^$.*+?()[\]{}|/]/
const INTERVAL = /^\{\d+(?:,\d*)?\}/
const CLASSES: Readonly<Record<string, string>> = {
  alpha: 'A-Za-z',
  digit: '0-9',
  alnum: 'A-Za-z0-9',
  upper: 'A-Z',
  lower: 'a-z',
  space: ' \\t\\n\\r\\f\\v',
  blank: ' \\t',
  punct: '!-\\/:-@\\[-`\\{-~',
  print: ' -~',
  graph: '!-~',
  cntrl: '\\x00-\\x1f\\x7f',
  xdigit: '0-9A-Fa-f',
}
const ESCAPES: Readonly<Record<string, string>> = {
  n: '\\n',
  t: '\\t',
  r: '\\r',
  f: '\\f',
  v: '\\v',
  a: '\\x07',
  y: '\\b',
  B: '\\B',
  w: '\\w',
  W: '\\W',
  s: '\\s',
  S: '\\S',
  '<': '\\b(?=\\w)',
  '>': '\\b(?<=\\w)',
  '`': '^',
  "'": '$',
}

const escaped = (character: string) => (SPECIAL.test(character) ? `\\${character}` : character)

/** A bracket expression as JavaScript has it, and its length. */
function bracket(source: string): [text: string, length: number] | undefined {
  let at = source[1] === '^' ? 2 : 1
  let text = at === 2 ? '[^' : '['
  for (let first = true; at < source.length; first = false) {
    const named = /^\[:(\w+):\]/.exec(source.slice(at))
    const character = String.fromCodePoint(source.codePointAt(at) ?? 0)
    if (character === ']' && !first) return [`${text}]`, at + 1]
    if (named !== null) {
      text += CLASSES[named[1] ?? ''] ?? ''
      at += named[0].length
    } else if (character === '\\' && at + 1 < source.length) {
      const letter = source[at + 1] ?? ''
      text += /[ntrfvwWsS]/.test(letter)
        ? `\\${letter}`
        : /[-\]\\^[]/.test(letter)
          ? `\\${letter}`
          : escaped(letter)
      at += 2
    } else {
      const last = source[at + 1] === ']'
      text +=
        character === '-' && (first || last)
          ? '\\-'
          : character === '-'
            ? '-'
            : /[[\]\\^]/.test(character)
              ? `\\${character}`
              : escaped(character)
      at += character.length
    }
  }
  return undefined
}

/** An extended regular expression of awk as one of JavaScript. @throws {AwkError} */
export function translate(source: string): string {
  // The longest of plain alternatives is taken, not the first.
  if (/^[\w ]+(?:\|[\w ]+)+$/.test(source))
    return source
      .split('|')
      .sort((a, b) => b.length - a.length)
      .join('|')
  let text = ''
  let start = true
  for (let at = 0; at < source.length; ) {
    const character = String.fromCodePoint(source.codePointAt(at) ?? 0)
    const begin = start
    start = character === '(' || character === '|'
    if (character === '\\') {
      const letter = source[at + 1] ?? '\\'
      const octal = /^[0-7]{3}/.exec(source.slice(at + 1))?.[0]
      text +=
        octal === undefined
          ? (ESCAPES[letter] ?? escaped(letter))
          : `\\x${Number.parseInt(octal, 8).toString(16).padStart(2, '0')}`
      at += 1 + (octal ?? letter).length
    } else if (character === '[') {
      const found = bracket(source.slice(at))
      text += found?.[0] ?? '\\['
      at += found?.[1] ?? 1
    } else if (character === '{' && (begin || !INTERVAL.test(source.slice(at)))) {
      text += '\\{'
      at += 1
    } else if (character === '{') {
      const interval = INTERVAL.exec(source.slice(at))?.[0] ?? ''
      text += interval
      at += interval.length
    } else {
      text +=
        character === '}' || character === ']' || (begin && /[*+?]/.test(character))
          ? `\\${character}`
          : character === '/'
            ? '\\/'
            : character
      at += character.length
    }
  }
  return text
}

/** Compiled expressions by source. */
export class Regexes {
  readonly #known = new Map<string, RegExp>()

  /** @throws {AwkError} */
  get(source: string, ignoreCase: boolean): RegExp {
    const key = `${ignoreCase ? 'i' : ' '}${source}`
    const known = this.#known.get(key)
    if (known !== undefined) return known
    let compiled: RegExp
    try {
      compiled = new RegExp(translate(source), ignoreCase ? 'gsui' : 'gsu')
    } catch {
      throw new AwkError(`regular expression /${source}/ is not known here`)
    }
    if (this.#known.size > 1000) this.#known.clear()
    this.#known.set(key, compiled)
    return compiled
  }
}

/** Whether it is found anywhere. */
export function found(regex: RegExp, text: string): boolean {
  regex.lastIndex = 0
  return regex.test(text)
}
