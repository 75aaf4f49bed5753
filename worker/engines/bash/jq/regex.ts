import { JqError, type Json, type JsonObject, typeOf, writeJson } from './values.ts'

const CLASSES: Readonly<Record<string, string>> = {
  alpha: '\\p{L}',
  digit: '\\d',
  alnum: '\\p{L}\\d',
  upper: '\\p{Lu}',
  lower: '\\p{Ll}',
  space: '\\s',
  blank: ' \\t',
  punct: '!-\\/:-@\\[-`\\{-~',
  xdigit: '0-9A-Fa-f',
  cntrl: '\\x00-\\x1f\\x7f',
  word: '\\w',
}

const PIECE = /\\[\s\S]|\[:(\^?)(\w+):\]|[*+?}]\+|\(\?[>imx-]+[):]?|#[^\n]*|\s|[\s\S]/g

const compiled = new Map<string, RegExp>()
const KEPT = 200

/** An expression of Oniguruma, by JavaScript. @throws {JqError} for what JavaScript lacks */
function compile(source: string, flags: string): RegExp {
  const key = `${flags}/${source}`
  const known = compiled.get(key)
  if (known !== undefined) return known
  const free = flags.includes('x')
  let ignoreCase = flags.includes('i')
  let inSet = false
  const text = source.replaceAll(PIECE, (piece, negated, named) => {
    if (piece === '[' && !inSet) inSet = true
    else if (piece === ']') inSet = false
    if (named !== undefined) return inSet && negated === '' ? (CLASSES[named] ?? piece) : piece
    if (piece === '\\A') return '(?<![\\s\\S])'
    if (piece === '\\z') return '(?![\\s\\S])'
    if (piece === '\\Z') return '(?=\\n?(?![\\s\\S]))'
    if (piece === '\\h') return inSet ? '0-9a-fA-F' : '[0-9a-fA-F]'
    if (piece === '(?i)') {
      ignoreCase = true
      return ''
    }
    if (!inSet && (/^[*+?}]\+$/.test(piece) || /^\(\?[>imx-]/.test(piece)))
      throw new JqError(`${source} (at offset 0) is not a valid regex here: ${piece} is not known`)
    if (!inSet && free && (/^\s$/.test(piece) || piece.startsWith('#'))) return ''
    if (piece.length > 1 && piece.startsWith('#')) return piece
    return piece
  })
  const letters = `gud${ignoreCase ? 'i' : ''}${/[sp]/.test(flags) ? 's' : ''}`
  const expression = parsed(text, letters, source)
  if (compiled.size >= KEPT) compiled.clear()
  compiled.set(key, expression)
  return expression
}

function parsed(text: string, flags: string, source: string): RegExp {
  try {
    return new RegExp(text, flags)
  } catch {
    try {
      // Escapes that mean nothing are allowed without the flag `u`.
      return new RegExp(text, flags.replace('u', ''))
    } catch (error) {
      throw new JqError(
        `${source} (at offset 0) is not a valid regex: ${error instanceof Error ? error.message : ''}`,
      )
    }
  }
}

/** `_match(expression; flags; test)` */
export function match(input: Json, expression: Json, flags: Json, test: Json): Json {
  if (typeof input !== 'string')
    throw new JqError(`${typeOf(input)} (${writeJson(input)}) cannot be matched, as it is not a string`)
  if (typeof expression !== 'string')
    throw new JqError(
      `${writeJson(expression)} (${typeOf(expression)}) cannot be matched, as it is not a string`,
    )
  if (flags !== null && typeof flags !== 'string') throw new JqError(`${writeJson(flags)} is not a string`)
  const letters = flags ?? ''
  if (/[^gimnpslx]/.test(letters)) throw new JqError(`${letters} is not a valid modifier string`)
  const pattern = compile(expression, letters)
  pattern.lastIndex = 0
  const names = groupNames(pattern.source)
  if (test === true) return pattern.test(input)
  const found: Json[] = []
  for (;;) {
    const one = pattern.exec(input)
    if (one === null) break
    if (!letters.includes('n') || one[0] !== '') found.push(told(one, input, names))
    if (!letters.includes('g')) break
    if (one[0] === '') pattern.lastIndex += (input.codePointAt(pattern.lastIndex) ?? 0) > 0xffff ? 2 : 1
  }
  return found
}

const characters = (text: string) => [...text].length

function told(found: RegExpExecArray, input: string, names: readonly (string | null)[]): JsonObject {
  const captures = found.slice(1).map((text: string | undefined, at): Json => {
    const index = found.indices?.[at + 1]?.[0]
    return new Map<string, Json>([
      ['offset', index === undefined ? -1 : characters(input.slice(0, index))],
      ['length', text === undefined ? 0 : characters(text)],
      ['string', text ?? null],
      ['name', names[at] ?? null],
    ])
  })
  return new Map<string, Json>([
    ['offset', characters(input.slice(0, found.index))],
    ['length', characters(found[0])],
    ['string', found[0]],
    ['captures', captures],
  ])
}

/** The name of each group, or null. */
const groupNames = (source: string): (string | null)[] =>
  [...source.matchAll(/\\[\s\S]|\[(?:\\[\s\S]|[^\]\\])*\]|\((?!\?)|\(\?<([A-Za-z_]\w*)>/g)]
    .filter(([piece]) => piece.startsWith('('))
    .map(([, name]) => name ?? null)
