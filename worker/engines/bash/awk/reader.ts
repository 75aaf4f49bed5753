import type { Pattern } from '../text/pattern.ts'

/** What ends a record: a text, blank lines, or an expression. */
export type RecordEnd = string | 'paragraph' | Pattern

/** The records of a text. */
export class RecordReader {
  readonly #text: string
  #at = 0
  /** What ended the last record. */
  ending = ''

  constructor(text: string) {
    this.#text = text
  }

  next(end: RecordEnd): string | undefined {
    if (end === 'paragraph') return this.#paragraph()
    if (this.#at >= this.#text.length) return undefined
    if (typeof end === 'string') {
      const found = this.#text.indexOf(end, this.#at)
      return this.#take(found < 0 ? this.#text.length : found, found < 0 ? '' : end)
    }
    const match = end.find(this.#text, this.#at)
    const text = match?.texts[0] ?? ''
    return match === undefined || text === ''
      ? this.#take(this.#text.length, '')
      : this.#take(match.index, text)
  }

  #paragraph(): string | undefined {
    while (this.#text[this.#at] === '\n') this.#at += 1
    if (this.#at >= this.#text.length) return undefined
    const blank = /\n\n+/g
    blank.lastIndex = this.#at
    const found = blank.exec(this.#text)
    if (found !== null) return this.#take(found.index, found[0])
    const last = this.#text.endsWith('\n') ? 1 : 0
    return this.#take(this.#text.length - last, last === 1 ? '\n' : '')
  }

  #take(to: number, ending: string): string {
    const record = this.#text.slice(this.#at, to)
    this.#at = to + ending.length
    this.ending = ending
    return record
  }
}
