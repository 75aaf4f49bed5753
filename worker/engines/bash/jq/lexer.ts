/** A piece of a program's text. */
export type Token =
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'text'; readonly format: string; readonly parts: readonly (string | readonly Token[])[] }
  | { readonly kind: 'format' | 'field' | 'variable' | 'word' | 'sign' | 'keyword'; readonly text: string }

/** A program that is not one. */
export class CompileError extends Error {
  override readonly name = 'CompileError'
}

const KEYWORDS = new Set(
  'def if then elif else end as reduce foreach try catch label import include and or __loc__'.split(' '),
)

const BLANK = /(?:[ \t\r\n]|#[^\n]*)+/y
const NUMBER = /(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?/y
const FIELD = /\.[A-Za-z_]\w*/y
const VARIABLE = /\$(?:__loc__|(?:[A-Za-z_]\w*::)*[A-Za-z_]\w*)/y
const WORD = /(?:[A-Za-z_]\w*::)*[A-Za-z_]\w*/y
const FORMAT = /@[A-Za-z0-9_]+/y
const SIGN = /\?\/\/=?|\|=|\/\/=|[-+*/%]=|==|!=|<=|>=|\/\/|\.\.|[-+*/%<>=?|,.:;()[\]{}$]/y

/** What letters after a backslash stand for. */
export const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
}

/** Reads a program's text into tokens; those of an interpolation stand in their string. */
export class Lexer {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  read(): Token[] {
    return this.#until(false)
  }

  /** @param nested - whether the tokens end with the parenthesis that closes an interpolation. */
  #until(nested: boolean): Token[] {
    const tokens: Token[] = []
    let depth = 0
    for (;;) {
      this.#take(BLANK)
      if (this.#at >= this.#text.length) {
        if (nested) throw new CompileError('syntax error, unterminated string interpolation')
        return tokens
      }
      const token = this.#next()
      if (token.kind === 'sign' && token.text === '(') depth += 1
      if (token.kind === 'sign' && token.text === ')') {
        if (nested && depth === 0) return tokens
        depth -= 1
      }
      tokens.push(token)
    }
  }

  #take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#text)?.[0]
    if (found !== undefined) this.#at += found.length
    return found
  }

  #next(): Token {
    if (this.#text[this.#at] === '"') return this.#string('')
    const number = this.#take(NUMBER)
    if (number !== undefined) return { kind: 'number', value: Number(number) }
    const field = this.#take(FIELD)
    if (field !== undefined) return { kind: 'field', text: field.slice(1) }
    const variable = this.#take(VARIABLE)
    if (variable !== undefined) return { kind: 'variable', text: variable.slice(1) }
    const format = this.#take(FORMAT)
    if (format !== undefined) {
      this.#take(BLANK)
      return this.#text[this.#at] === '"' ? this.#string(format) : { kind: 'format', text: format }
    }
    const word = this.#take(WORD)
    if (word !== undefined) return { kind: KEYWORDS.has(word) ? 'keyword' : 'word', text: word }
    const sign = this.#take(SIGN)
    if (sign !== undefined) return { kind: 'sign', text: sign }
    throw new CompileError(`syntax error, unexpected '${this.#text[this.#at]}'`)
  }

  #string(format: string): Token {
    const parts: (string | readonly Token[])[] = []
    let text = ''
    this.#at += 1
    for (;;) {
      const character = this.#text[this.#at]
      if (character === undefined) throw new CompileError('syntax error, unterminated string')
      this.#at += 1
      if (character === '"') break
      if (character !== '\\') {
        text += character
        continue
      }
      const letter = this.#text[this.#at] ?? ''
      this.#at += 1
      if (letter === '(') {
        parts.push(text, this.#until(true))
        text = ''
      } else text += this.#escape(letter)
    }
    return { kind: 'text', format, parts: [...parts, text] }
  }

  #escape(letter: string): string {
    if (letter === 'u') {
      const code = this.#text.slice(this.#at, this.#at + 4)
      if (!/^[0-9a-fA-F]{4}$/.test(code)) throw new CompileError('syntax error, invalid \\u escape')
      this.#at += 4
      return String.fromCharCode(Number.parseInt(code, 16))
    }
    const plain = ESCAPES[letter]
    if (plain === undefined) throw new CompileError(`syntax error, invalid escape \\${letter}`)
    return plain
  }
}
