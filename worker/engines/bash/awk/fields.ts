import type { Pattern } from '../text/pattern.ts'
import { AwkError } from './lexer.ts'

/** How a record is taken apart: blanks, one character, an expression, fields that match, or widths. */
export type Separator =
  | { readonly kind: 'blanks' }
  | { readonly kind: 'characters' }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'pattern'; readonly pattern: Pattern }
  | { readonly kind: 'fields'; readonly pattern: Pattern }
  | { readonly kind: 'widths'; readonly widths: readonly number[] }

/** The pieces of a text, and what stood between them. */
export function splitText(text: string, separator: Separator): { pieces: string[]; between: string[] } {
  switch (separator.kind) {
    case 'blanks': {
      const pieces = text.split(/[ \t\n]+/)
      const between = text.match(/[ \t\n]+/g) ?? []
      if (pieces[0] === '') pieces.shift()
      if (pieces.at(-1) === '') pieces.pop()
      return { pieces, between }
    }
    case 'characters':
      return { pieces: [...text], between: [] }
    case 'text': {
      const pieces = text === '' ? [] : text.split(separator.text)
      return { pieces, between: pieces.slice(1).map(() => separator.text) }
    }
    case 'pattern':
      return splitByPattern(text, separator.pattern)
    case 'fields':
      return { pieces: [...separator.pattern.all(text)].map(({ texts }) => texts[0] ?? ''), between: [] }
    case 'widths':
      return { pieces: byWidths(text, separator.widths), between: [] }
  }
}

function splitByPattern(text: string, pattern: Pattern): { pieces: string[]; between: string[] } {
  const pieces: string[] = []
  const between: string[] = []
  if (text === '') return { pieces, between }
  let from = 0
  for (const { index, texts } of pattern.all(text)) {
    const [found = ''] = texts
    if (found === '') continue
    pieces.push(text.slice(from, index))
    between.push(found)
    from = index + found.length
  }
  pieces.push(text.slice(from))
  return { pieces, between }
}

function byWidths(text: string, widths: readonly number[]): string[] {
  const characters = [...text]
  const pieces: string[] = []
  let from = 0
  for (const width of widths) {
    if (from >= characters.length) break
    pieces.push(characters.slice(from, from + width).join(''))
    from += width
  }
  return pieces
}

export function readWidths(text: string): Separator {
  const widths = text.trim().split(/\s+/).map(Number)
  if (widths.some((width) => !Number.isInteger(width) || width < 1))
    throw new AwkError(`FIELDWIDTHS takes numbers here, not ${text}`)
  return { kind: 'widths', widths }
}
