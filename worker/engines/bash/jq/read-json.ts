import { ESCAPES } from './lexer.ts'
import { JqError, type Json } from './values.ts'

/** How deep values may be inside each other. */
const MAX_DEPTH = 10_000

const NUMBER = /-?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?/y
// biome-ignore lint/suspicious/noControlCharactersInRegex: a record separator may stand between values
const BLANK = /[ \t\r\n\u001e\ufeff]*/y
const WORD = /[A-Za-z]+/y
const STRING = /"(?:[^"\\]|\\[\s\S])*"/y

const WORDS: Readonly<Record<string, Json>> = {
  null: null,
  true: true,
  false: false,
  nan: Number.NaN,
  NaN: Number.NaN,
}

/** Reads values that stand one after another. */
export class JsonReader {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  /** The next value, or undefined at the end. @throws {JqError} where the text is no JSON */
  next(): Json | undefined {
    this.#take(BLANK)
    return this.#at >= this.#text.length ? undefined : this.#value(0)
  }

  #take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#text)?.[0]
    if (found !== undefined) this.#at += found.length
    return found
  }

  #value(depth: number): Json {
    if (depth > MAX_DEPTH) return this.#fail('Exceeds depth limit for parsing')
    this.#take(BLANK)
    const character = this.#text[this.#at]
    if (character === '"') return this.#string()
    if (character === '[') return this.#array(depth)
    if (character === '{') return this.#object(depth)
    const number = this.#take(NUMBER)
    if (number !== undefined) {
      if (/[\w.]/.test(this.#text[this.#at] ?? '')) return this.#fail('Invalid numeric literal')
      return Number(number)
    }
    const word = this.#take(WORD) ?? ''
    const value = WORDS[word]
    return value === undefined
      ? this.#fail(character === undefined ? 'Unfinished JSON term' : 'Invalid literal')
      : value
  }

  #string(): string {
    const text = this.#take(STRING)
    if (text === undefined) return this.#fail('Unfinished string')
    return text.slice(1, -1).replaceAll(/\\(?:u([0-9a-fA-F]{4})|([\s\S]))/g, (_, code, letter) => {
      if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16))
      const plain = ESCAPES[letter]
      return plain === undefined ? this.#fail('Invalid escape') : plain
    })
  }

  #array(depth: number): Json {
    const items: Json[] = []
    this.#at += 1
    if (this.#ends(']')) return items
    for (;;) {
      items.push(this.#value(depth + 1))
      if (this.#ends(']')) return items
      this.#expect(',')
    }
  }

  #object(depth: number): Json {
    const object = new Map<string, Json>()
    this.#at += 1
    if (this.#ends('}')) return object
    for (;;) {
      this.#take(BLANK)
      if (this.#text[this.#at] !== '"') return this.#fail('Object keys must be strings')
      const key = this.#string()
      this.#expect(':')
      object.set(key, this.#value(depth + 1))
      if (this.#ends('}')) return object
      this.#expect(',')
    }
  }

  #ends(close: string): boolean {
    this.#take(BLANK)
    if (this.#text[this.#at] !== close) return false
    this.#at += 1
    return true
  }

  #expect(character: string): void {
    this.#take(BLANK)
    if (this.#text[this.#at] !== character)
      this.#fail(this.#at >= this.#text.length ? 'Unfinished JSON term' : `Expected '${character}'`)
    this.#at += 1
  }

  #fail(what: string): never {
    const before = this.#text.slice(0, this.#at)
    const line = before.split('\n').length
    throw new JqError(`${what} at line ${line}, column ${this.#at - before.lastIndexOf('\n')}`)
  }
}

/** The only value of a text. */
export function parseJson(text: string): Json {
  const reader = new JsonReader(text)
  const value = reader.next()
  if (value === undefined) return null
  if (reader.next() !== undefined) throw new JqError('Unexpected extra JSON values')
  return value
}
