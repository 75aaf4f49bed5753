/** An `s` of `sed` as `string.gsub` of lua does it. */
export interface Substitution {
  /** A pattern of lua; `%Z` stands for one character. */
  readonly pattern: string
  /** A replacement of lua; `%N` and `%T` stand for a line break and a tab. */
  readonly replacement: string
  readonly isGlobal: boolean
  /** The time that it takes may grow with the square of a line. */
  readonly repeats: boolean
}

/** An `s` up to the next command. */
const SUBSTITUTE =
  /\s*s([/|,#@:!%_])((?:(?!\1)[^\\\n]|\\.)+)\1((?:(?!\1)[^\\\n]|\\.)*)\1(g?)[ \t]*(?:[;\n]|$)/y

/** The commands of a script that has no other than `s` for all lines, with expressions that lua has; undefined of others. */
export function substitutionsOf(script: string, isExtended: boolean): readonly Substitution[] | undefined {
  const found: Substitution[] = []
  let at = 0
  while (at < script.length) {
    SUBSTITUTE.lastIndex = at
    const match = SUBSTITUTE.exec(script)
    if (match === null) return undefined
    const [whole, delimiter = '', expression = '', text = '', global] = match
    const isSign = delimiter === '|' && `${expression}${text}`.includes('\\|')
    const matcher = isSign ? undefined : patternOf(expression, delimiter, isExtended)
    const replacement = replacementOf(text, delimiter)
    const isGlobal = global === 'g'
    if (matcher === undefined || replacement === undefined || (isGlobal && matcher.isEmpty)) return undefined
    found.push({ pattern: matcher.pattern, replacement, isGlobal, repeats: matcher.repeats })
    at += whole.length
  }
  return found
}

interface Matcher {
  readonly pattern: string
  readonly repeats: boolean
  /** It matches where no character is. */
  readonly isEmpty: boolean
}

/** A character, or a set of them: an escape, a set in brackets, or a sign. */
const ATOM = /\\[^\n]|\[\^?\]?(?:\[:[a-z]+:\]|[^[\]\\])*\]|[^\\]/uy

/** Signs of extended expressions that plain ones have as characters. */
const EXTENDED = /[+?{}()|]/

/**
 * An expression as a pattern of lua. With one repetition at most the longest match that begins first is the one that lua
 * finds.
 */
function patternOf(expression: string, delimiter: string, isExtended: boolean): Matcher | undefined {
  let pattern = ''
  let repetitions = 0
  let isEmpty = true
  let at = 0
  while (at < expression.length) {
    ATOM.lastIndex = at
    const atom = ATOM.exec(expression)?.[0]
    if (atom === undefined) return undefined
    const start = at
    at += atom.length
    if (atom === '^' && start === 0) {
      pattern += '^'
      if (/^[*+?{]/.test(expression.slice(at))) return undefined
      continue
    }
    if (atom === '$' && at === expression.length) {
      pattern += '$'
      continue
    }
    const sign = signAt(expression, at, isExtended)
    if (sign === undefined || (sign !== '' && ++repetitions > 1)) return undefined
    const one = atomOf(atom, delimiter, isExtended, sign)
    if (one === undefined) return undefined
    at += sign.length
    pattern += one + sign
    isEmpty &&= sign === '*' || sign === '?'
  }
  return { pattern, repeats: repetitions > 0, isEmpty }
}

/** How often what stands before a place is there; undefined where lua has no such sign. */
function signAt(expression: string, at: number, isExtended: boolean): string | undefined {
  const sign = expression.charAt(at)
  const isSign = sign === '*' || (isExtended && /[+?{]/.test(sign))
  if (!isSign) return /^\\[+?{]/.test(expression.slice(at)) ? undefined : ''
  return sign === '{' || /^[*+?{]/.test(expression.slice(at + 1)) ? undefined : sign
}

const PUNCTUATION = /^[!-/:-@[-`{-~]$/

/** A character or a set in lua; undefined where it has none that is the same, or none that can be repeated. */
function atomOf(atom: string, delimiter: string, isExtended: boolean, sign: string): string | undefined {
  // One character that is not of ASCII is several bytes: only what takes all of them can take each alone.
  const takesAll = sign === '*' || sign === '+'
  if (atom === '.') return takesAll ? '.' : sign === '' ? '%Z' : undefined
  if (atom.startsWith('[')) return atom.length > 1 ? setOf(atom, takesAll) : undefined
  if (atom.startsWith('\\')) {
    const char = atom.slice(1)
    const isKnown = char === delimiter || /^[.*[\]\\/^$"'-]$/.test(char)
    return isKnown || (isExtended && EXTENDED.test(char)) ? escaped(char) : undefined
  }
  if (/[\^$*]/.test(atom) || (isExtended && EXTENDED.test(atom))) return undefined
  return atom.length > 1 || atom > '\x7f' ? (sign === '' ? atom : undefined) : escaped(atom)
}

function escaped(sign: string): string {
  return PUNCTUATION.test(sign) ? `%${sign}` : sign
}

const CLASSES: Readonly<Record<string, string>> = { digit: '%d', space: '%s', xdigit: '%x' }

/** A part of a set: a class, a range, or a character. */
const PART = /\[:([a-z]+):\]|([0-9])-([0-9])|([a-z])-([a-z])|([A-Z])-([A-Z])|([^-])(?!-)|-(?=$)/y

/** A set of characters of ASCII, or of all but those. */
function setOf(atom: string, takesAll: boolean): string | undefined {
  const isNegated = atom.startsWith('[^')
  if (isNegated && !takesAll) return undefined
  const inner = atom.slice(isNegated ? 2 : 1, -1)
  let set = ''
  let at = 0
  while (at < inner.length) {
    PART.lastIndex = at
    const part = PART.exec(inner)
    if (part === null || part[0] > '\x7f') return undefined
    const [text, name] = part
    const isRange = text.length === 3
    if (name === undefined) set += isRange ? text : escaped(text)
    else if (CLASSES[name] === undefined) return undefined
    else set += CLASSES[name]
    if (isRange && text.charAt(0) > text.charAt(2)) return undefined
    at += text.length
  }
  return set === '' ? undefined : `[${isNegated ? '^' : ''}${set}]`
}

/** What stands for an escape in a replacement. */
const ESCAPES: Readonly<Record<string, string>> = { n: '%N', t: '%T', '&': '&', '\\': '\\' }

function replacementOf(text: string, delimiter: string): string | undefined {
  let replacement = ''
  for (const [piece, escaping] of text.matchAll(/\\(.)|[^\\]/gsu)) {
    const sign = escaping === delimiter && escaping !== '&' ? delimiter : ESCAPES[escaping ?? '']
    if (escaping !== undefined && sign === undefined) return undefined
    if (escaping === undefined) replacement += piece === '&' ? '%0' : piece === '%' ? '%%' : piece
    else replacement += sign === '%' ? '%%' : sign
  }
  return replacement
}
