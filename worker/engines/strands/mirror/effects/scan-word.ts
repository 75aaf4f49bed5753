import type { ScriptWord } from '../../guards/script-visitor.ts'

/** What is known of a word of a command by its text. */
export interface Operand {
  /** The word after quote removal; null if it has an expansion, a pattern or `~`. */
  readonly value: string | null
  /** The same where it is written so plainly that bash would read it alike; else null. */
  readonly path: string | null
  /** It expands to one word or more, and none of them begins with `-`. */
  readonly inert: boolean
  /** It begins with a variable's name and `=`. */
  readonly assigns: boolean
}

/** A word of which nothing is known. */
export const UNSEEN: Operand = { value: null, path: null, inert: false, assigns: false }

/** What the expansion of a word may do. */
export interface ScannedWord extends Operand {
  /** It has backquotes: commands run in it that the visitor does not see. */
  readonly hidden: boolean
}

/** The engine and POSIX agree on where such an expansion ends, and it runs nothing. */
const BRACES =
  /\$\{#?(?:\w+|[?@*!$-])(?::?[-+=?]|%%?|##?|[:/^,]?)(?:[\w.,/ :@*%+=~^?[\]-]|\$[A-Za-z_]\w*)*\}/y
const ARITHMETIC = /\$\(\((?:[\w\s+*/%<>=!&|^~?:,-]|\$[A-Za-z_]\w*)*\)\)/y
const PATTERN = /[*?[]/
/** First characters of a pattern or name that make it certain that it is not an option. */
const INERT_HEAD = /^[\w./]/
const ASSIGNMENT = /^[A-Za-z_]\w*=/
/** Signs that the translation of bash, or a quirk of the engine, may read otherwise than the lexer. */
const DOUBTFUL = /[\\$`{}~!\n]/

/**
 * Reads a word as the engine does.
 *
 * @returns null if the engine might read it differently than the lexer.
 */
export function scanWord(text: string, { start, end, plain }: ScriptWord): ScannedWord | null {
  if (plain !== null) return literalOrPattern(plain, plain, PATTERN.test(plain) || plain.startsWith('~'))
  const raw = text.slice(start, end)
  let at = start
  let quoted = false
  let expands = false
  let hidden = false
  let pattern = raw.startsWith('~')
  let value = ''
  while (at < end) {
    const char = text[at] ?? ''
    if (char === '"') {
      quoted = !quoted
      at++
    } else if (char === "'" && !quoted) {
      const close = text.indexOf("'", at + 1)
      // The lexer found other quotes: it found another end of a substitution.
      if (close < 0) return null
      value += text.slice(at + 1, close)
      at = close + 1
    } else if (char === '\\') {
      const next = text[at + 1] ?? ''
      value += quoted && !'$`"\\'.includes(next) ? char + next : next
      at += 2
    } else if (char === '`') {
      const close = text.indexOf('`', at + 1)
      if (close < 0) return null
      hidden = true
      at = close + 1
    } else if (char === '$') {
      const close = endOfDollar(text, at)
      if (close < 0) return null
      if (close === at + 1) value += char
      else expands = true
      at = close
    } else {
      if (!quoted && PATTERN.test(char)) pattern = true
      value += char
      at++
    }
  }
  if (quoted || at !== end) return null
  if (!expands && !hidden) return literalOrPattern(raw, value, pattern)
  // The engine reads line by line, and may treat the first line of such a word as the whole word.
  if (raw.includes('\n') && /\$[({]|`/.test(raw)) return null
  return { value: null, path: null, inert: false, assigns: ASSIGNMENT.test(raw), hidden }
}

function literalOrPattern(raw: string, value: string, pattern: boolean): ScannedWord {
  const inert = pattern ? INERT_HEAD.test(raw) : !value.startsWith('-')
  const literal = pattern ? null : value
  const path = DOUBTFUL.test(raw) ? null : literal
  return { value: literal, path, inert, assigns: ASSIGNMENT.test(raw), hidden: false }
}

/** The index after the expansion that begins at `at`, `at + 1` for a bare `$`, -1 where it is uncertain. */
function endOfDollar(text: string, at: number): number {
  const next = text[at + 1] ?? ''
  if (next === '{') return endOf(BRACES, text, at)
  if (next === '(') {
    return text[at + 2] === '(' ? endOf(ARITHMETIC, text, at) : endOfSubstitution(text, at + 2)
  }
  if (/[A-Za-z_]/.test(next)) {
    let end = at + 2
    while (/\w/.test(text[end] ?? '')) end++
    return end
  }
  return /[0-9?$!#@*-]/.test(next) ? at + 2 : at + 1
}

function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : -1
}

/**
 * The index after the `)` that ends a substitution in the engine, which counts brackets and ignores quotes; -1 if there is
 * none. `from` is the index after `$(`.
 */
export function endOfSubstitution(text: string, from: number): number {
  let depth = 1
  for (let at = from; at < text.length; at++) {
    const char = text[at]
    if (char === '(') depth++
    else if (char === ')' && --depth === 0) return at + 1
  }
  return -1
}
