import { refuse } from '../refusal.ts'

/** More words than this are not written out. */
const MOST_WORDS = 10_000

const NUMBERS = /^(-?\d+)\.\.(-?\d+)(?:\.\.(-?\d+))?$/
const LETTERS = /^([A-Za-z])\.\.([A-Za-z])(?:\.\.(-?\d+))?$/

/** The words that `{a,b}` and `{1..3}` in a word stand for. Quotes and expansions in it stay as they are. */
export function expandBraces(text: string): string[] {
  const words = expand(text)
  if (words.length > MOST_WORDS) refuse(`a brace expansion of ${words.length} words`, 'use a while loop')
  return words
}

function expand(text: string): string[] {
  for (let at = 0; at < text.length; at = skip(text, at)) {
    if (text[at] !== '{') continue
    const end = closing(text, at)
    if (end === undefined) continue
    const items = itemsOf(text, at, end)
    if (items === undefined) continue
    const before = text.slice(0, at)
    const after = expandBraces(text.slice(end + 1))
    return items.flatMap((item) => after.map((rest) => before + item + rest))
  }
  return [text]
}

/** What is inside a brace, expanded; undefined where the brace is literal. */
function itemsOf(text: string, start: number, end: number): string[] | undefined {
  const commas: number[] = []
  for (let at = start + 1; at < end; at = text[at] === '{' ? (closing(text, at) ?? at) + 1 : skip(text, at)) {
    if (text[at] === ',') commas.push(at)
  }
  const inside = text.slice(start + 1, end)
  if (commas.length === 0) return sequence(inside)
  const bounds = [start, ...commas, end]
  return bounds.slice(1).flatMap((bound, index) => expandBraces(text.slice((bounds[index] ?? 0) + 1, bound)))
}

function sequence(inside: string): string[] | undefined {
  const letters = LETTERS.exec(inside)
  const [, first = '', last = '', step = '1'] = letters ?? NUMBERS.exec(inside) ?? []
  if (first === '') return undefined
  const value = (text: string) => (letters ? text.charCodeAt(0) : Number(text))
  const [from, to] = [value(first), value(last)]
  const by = Math.max(1, Math.abs(Number(step)))
  const count = Math.floor(Math.abs(to - from) / by) + 1
  if (!(count <= MOST_WORDS)) refuse(`a brace expansion of ${count} words`, 'use a while loop')
  const width = [first, last].some((text) => /^-?0\d/.test(text)) ? Math.max(first.length, last.length) : 0
  return Array.from({ length: count }, (_, index) => {
    const number = from + (to < from ? -by : by) * index
    return letters ? letter(number) : padded(number, width)
  })
}

/** Between Z and a are signs, among them a backslash and a backquote. */
function letter(code: number): string {
  const text = String.fromCharCode(code)
  return /\w/.test(text)
    ? text
    : refuse('a brace expansion from capital to small letters', 'write the words out')
}

function padded(number: number, width: number): string {
  const digits = String(Math.abs(number))
  return number < 0 ? `-${digits.padStart(width - 1, '0')}` : digits.padStart(width, '0')
}

/** The brace that closes the one at `start`. */
function closing(text: string, start: number): number | undefined {
  let depth = 0
  for (let at = start; at < text.length; at = skip(text, at)) {
    if (text[at] === '{') depth++
    else if (text[at] === '}' && --depth === 0) return at
  }
  return undefined
}

/** The index after the quoted text, expansion or character at `at`. */
function skip(text: string, at: number): number {
  const two = text.slice(at, at + 2)
  if (text[at] === '\\') return at + 2
  if (text[at] === "'") return after(text, at + 1, "'")
  if (text[at] === '"') return quotedEnd(text, at + 1)
  if (two === '${') return nested(text, at + 1, '{', '}')
  if (two === '$(') return nested(text, at + 1, '(', ')')
  return at + 1
}

function after(text: string, from: number, sign: string): number {
  const end = text.indexOf(sign, from)
  return end < 0 ? text.length : end + 1
}

function quotedEnd(text: string, from: number): number {
  let at = from
  while (at < text.length && text[at] !== '"') at = text[at] === "'" ? at + 1 : skip(text, at)
  return at + 1
}

function nested(text: string, from: number, open: string, close: string): number {
  let depth = 0
  for (let at = from; at < text.length; ) {
    if (text[at] === open) depth++
    else if (text[at] === close && --depth === 0) return at + 1
    at = text[at] === open || text[at] === close ? at + 1 : skip(text, at)
  }
  return text.length
}
