import type { SyntaxNode, WordNode, WordPart } from '../just-bash.ts'
import { alternatives, bracesAt } from '../text/braces.ts'
import { plainText } from './nodes.ts'

type Braces = Extract<WordPart, { type: 'BraceExpansion' }>
type Range = Extract<Braces['items'][number], { type: 'Range' }>

/** A word of more alternatives is left to just-bash. */
const MOST = 10_000

/** Puts what a word stands for where words are listed: the operands of a command, elements of an array and what a loop takes. */
export function listWords(node: SyntaxNode): void {
  if (node.type === 'SimpleCommand') {
    const [name, ...first] = node.name === null ? [] : wordsOf([node.name])
    node.name = name ?? node.name
    node.args = [...first, ...wordsOf(node.args)]
  }
  if (node.type === 'For' && node.words !== null) node.words = wordsOf(node.words)
  if (node.type === 'Assignment' && node.array !== null) node.array = wordsOf(node.array)
}

/**
 * `{a,"b c"}*.txt` as the words that bash makes of it before it expands anything else: just-bash expands each alternative to a text
 * first, and loses its quotes. A range beside nothing but characters is right there.
 */
export function wordsOf(words: WordNode[]): WordNode[] {
  return words.flatMap((word) => {
    const variants = needsWords(word) ? product(word.parts) : undefined
    return (
      variants?.map((parts) => ({ ...word, parts: withEmpty(longerNames(parts)) })).filter(makesWord) ?? [
        emptyQuotes(word),
      ]
    )
  })
}

function needsWords({ parts }: WordNode): boolean {
  const braces = parts.filter((part) => part.type === 'BraceExpansion')
  if (braces.length === 0 || isArray(parts)) return false
  return (
    parts.some(({ type }) => type !== 'BraceExpansion' && type !== 'Literal') ||
    braces.some(({ items }) => items.some((item) => item.type === 'Word' || isPaddedBelowZero(item)))
  )
}

/** `a=({1..3})` and `[key]={1,2}`, as words of `declare` and of arrays. */
const isArray = ([first]: readonly WordPart[]): boolean =>
  (first?.type === 'Literal' && /^(?:[A-Za-z_]\w*\+?=\(|\[)/.test(first.value)) ||
  (first?.type === 'Glob' && first.pattern.startsWith('['))

const isPaddedBelowZero = ({ startStr = '', endStr = '' }: Range): boolean =>
  /^-0\d/.test(startStr) || /^-0\d/.test(endStr) || (startStr.startsWith('-') && /^0\d/.test(endStr))

/** All lists of parts that the alternatives make; undefined where they are too many. */
function product(parts: readonly WordPart[]): WordPart[][] | undefined {
  let made: WordPart[][] = [[]]
  for (const part of parts) {
    const variants = part.type === 'BraceExpansion' ? alternativesOf(part) : [[part]]
    if (variants === undefined || made.length * variants.length > MOST) return undefined
    made = made.flatMap((before) => variants.map((variant) => [...before, ...variant]))
  }
  return made
}

function alternativesOf({ items }: Braces): WordPart[][] | undefined {
  const made: WordPart[][] = []
  for (const item of items) {
    const variants = item.type === 'Word' ? product(item.word.parts) : valuesOf(item)
    if (variants === undefined) return undefined
    made.push(...variants)
  }
  return made
}

function valuesOf({ start, end, step, startStr = '', endStr = '' }: Range): WordPart[][] | undefined {
  const isText = typeof start === 'string'
  const [first, last] = [start, end].map((one) => (typeof one === 'string' ? one.charCodeAt(0) : one))
  if (first === undefined || last === undefined || typeof start !== typeof end) return undefined
  const size = Math.abs(step ?? 1) || 1
  const count = Math.floor(Math.abs(last - first) / size) + 1
  // just-bash refuses `{A..c}`.
  if (count > MOST || (isText && first < 97 !== last < 97)) return undefined
  const isPadded = [startStr, endStr].some((text) => /^-?0\d/.test(text))
  const width = isPadded ? Math.max(startStr.length, endStr.length) : 0
  return Array.from({ length: count }, (_, at): WordPart[] => {
    const value = first + (first <= last ? at : -at) * size
    const text = isText ? String.fromCharCode(value) : padded(value, width)
    return [{ type: 'Literal', value: text }]
  })
}

const padded = (value: number, width: number): string =>
  value < 0 ? `-${String(-value).padStart(width - 1, '0')}` : String(value).padStart(width, '0')

const NUMBERS = /^(-?\d+)\.\.(-?\d+)(?:\.\.(-?\d+))?$/
const LETTERS = /^([a-zA-Z])\.\.([a-zA-Z])(?:\.\.(-?\d+))?$/

/** The parts of a text in which just-bash takes braces for characters. */
export function bracesIn(text: string): WordPart[] {
  const at = text.indexOf('{')
  if (at < 0) return text === '' ? [] : [{ type: 'Literal', value: text }]
  const found = bracesAt(text, at)
  const items = found === null ? [] : itemsOf(found.slice(1, -1))
  if (found === null || items.length === 0)
    return [{ type: 'Literal', value: text.slice(0, at + 1) }, ...bracesIn(text.slice(at + 1))]
  const before: WordPart[] = at === 0 ? [] : [{ type: 'Literal', value: text.slice(0, at) }]
  return [...before, { type: 'BraceExpansion', items }, ...bracesIn(text.slice(at + found.length))]
}

function itemsOf(text: string): Braces['items'] {
  const range = NUMBERS.exec(text) ?? LETTERS.exec(text)
  if (range !== null) {
    const [, startStr = '', endStr = '', size] = range
    const [start, end] = /\d/.test(startStr) ? [Number(startStr), Number(endStr)] : [startStr, endStr]
    const step = size === undefined ? {} : { step: Number(size) }
    return [{ type: 'Range', start, end, ...step, startStr, endStr }]
  }
  const items = alternatives(text)
  return items.length < 2
    ? []
    : items.map((item) => ({ type: 'Word', word: { type: 'Word', parts: bracesIn(item) } }))
}

/** `$v{a,b}` is `$va $vb`: what the braces give comes before the name of a parameter that has none is read. */
function longerNames(parts: readonly WordPart[]): WordPart[] {
  const made: WordPart[] = []
  for (const part of parts) {
    const before = made.at(-1)
    const [name = ''] = part.type === 'Literal' && isBare(before) ? (/^\w*/.exec(part.value) ?? []) : []
    if (name === '' || part.type !== 'Literal' || before?.type !== 'ParameterExpansion') made.push(part)
    else {
      const rest = part.value.slice(name.length)
      made.splice(-1, 1, { ...before, parameter: before.parameter + name })
      if (rest !== '') made.push({ ...part, value: rest })
    }
  }
  return made
}

/** A mended place notes it: `$v`, not `${v}`. */
const isBare = (part: WordPart | undefined): boolean =>
  part?.type === 'ParameterExpansion' && Reflect.get(part, 'bare') === true

/** An alternative that is empty beside nothing is no word. */
const makesWord = ({ parts }: WordNode): boolean => parts.length > 0

const withEmpty = (parts: WordPart[]): WordPart[] =>
  parts.every((part) => part.type === 'Literal' && part.value === '') ? [] : parts

/** `$''` and `$""` are words, which just-bash leaves out. */
function emptyQuotes(word: WordNode): WordNode {
  return word.parts.length === 1 && plainText(word) === '' && word.parts[0]?.type === 'Literal'
    ? { ...word, parts: [{ type: 'SingleQuoted', value: '' }] }
    : word
}
