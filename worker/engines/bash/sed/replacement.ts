import { characterOf } from '../text/byte-escapes.ts'
import type { Match } from '../text/pattern.ts'
import type { ReplacementPart } from './script.ts'

const LETTERS: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', f: '\f', v: '\v', a: '\x07' }

/** The pieces of a replacement. */
export function readReplacement(text: string): ReplacementPart[] {
  const parts: ReplacementPart[] = []
  const add = (piece: string) => {
    const last = parts.at(-1)
    if (last?.kind === 'text') parts[parts.length - 1] = { kind: 'text', text: last.text + piece }
    else parts.push({ kind: 'text', text: piece })
  }
  for (const [whole, number, code, letter] of text.matchAll(
    /\\([0-9])|\\(x[0-9a-f]{2}|c[@-_a-z])|\\([\s\S])|[\s\S]/g,
  )) {
    if (number !== undefined) parts.push({ kind: 'group', group: Number(number) })
    else if (code !== undefined) add(characterOf(code) ?? code)
    else if (letter === undefined && whole === '&') parts.push({ kind: 'group', group: 0 })
    else if (letter === undefined) add(whole)
    else if ('ULEul'.includes(letter)) parts.push({ kind: 'case', letter })
    else add(LETTERS[letter] ?? letter)
  }
  return parts
}

/** What a match is replaced with. */
export function expandReplacement(parts: readonly ReplacementPart[], { texts }: Match): string {
  let result = ''
  let whole = ''
  let once = ''
  for (const part of parts) {
    if (part.kind === 'case') {
      if (part.letter === 'u' || part.letter === 'l') once = part.letter
      else whole = part.letter === 'E' ? '' : part.letter
      if (part.letter === 'E') once = ''
      continue
    }
    let text = part.kind === 'text' ? part.text : (texts[part.group] ?? '')
    if (text === '') continue
    if (whole === 'U') text = text.toUpperCase()
    else if (whole === 'L') text = text.toLowerCase()
    if (once !== '') {
      const [first = ''] = text
      text = (once === 'u' ? first.toUpperCase() : first.toLowerCase()) + text.slice(first.length)
      once = ''
    }
    result += text
  }
  return result
}
