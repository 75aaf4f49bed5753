const CLASSES: Readonly<Record<string, string>> = {
  alpha: '\\p{L}',
  digit: '0-9',
  alnum: '\\p{L}\\p{Nd}',
  upper: '\\p{Lu}',
  lower: '\\p{Ll}',
  space: ' \\t\\n\\r\\f\\v',
  blank: ' \\t',
  punct: '!-\\/:-@\\[-`\\{-~',
  print: '\\x20-\\x7e\\u00a0-\\u{10ffff}',
  graph: '\\x21-\\x7e\\u00a1-\\u{10ffff}',
  cntrl: '\\x00-\\x1f\\x7f',
  xdigit: '0-9A-Fa-f',
}

/** Thrown for an expression that is no regular expression. */
export class PatternError extends Error {}

/** A character for the inside of JavaScript's brackets, with the flag `u`. */
const inside = (character: string) => (/[\\\]^[-]/.test(character) ? `\\${character}` : character)

/** What a backslash and a letter are inside brackets, where a backslash is special at all. */
const ESCAPED: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  f: '\f',
  v: '\v',
  a: '\x07',
  b: '\b',
}

/**
 * A bracket expression of POSIX as one of JavaScript.
 *
 * @param from - where `[` is.
 * @param escapes - whether a backslash is special: in awk always, in sed before `n`, `t` and the like, in grep never.
 * @returns the expression and the index after `]`.
 */
export function readBracket(
  pattern: string,
  from: number,
  escapes: 'all' | 'letters' | 'none',
): [string, number] {
  let at = from + 1
  const negated = pattern[at] === '^'
  if (negated) at += 1
  let set = ''
  let first = true
  let low: string | undefined
  for (;;) {
    const character = characterAt(pattern, at)
    if (character === '') throw new PatternError('Unmatched [, [^, [:, [., or [=')
    if (character === ']' && !first) break
    first = false
    const named = /^\[([:.=])(.*?)\1\]/su.exec(pattern.slice(at, at + 20))
    if (named?.[1] === ':') {
      const known = CLASSES[named[2] ?? '']
      if (known === undefined) throw new PatternError('Invalid character class name')
      set += known
      low = undefined
      at += named[0].length
      continue
    }
    let value = character
    let length = character.length
    if (named !== null) {
      value = named[2] ?? ''
      length = named[0].length
    } else if (character === '\\' && escapes !== 'none') {
      const next = characterAt(pattern, at + 1)
      const letter = ESCAPED[next]
      if (letter !== undefined) [value, length] = [letter, 2]
      else if (escapes === 'all' && /^[wsdWSD]$/.test(next)) {
        set += `\\${next}`
        low = undefined
        at += 2
        continue
      } else if (escapes === 'all' && next !== '') [value, length] = [next, 1 + next.length]
    }
    at += length
    const rangeEnd = pattern[at] === '-' && pattern[at + 1] !== ']' && pattern[at + 1] !== undefined
    if (low !== undefined) {
      if ((low.codePointAt(0) ?? 0) > (value.codePointAt(0) ?? 0)) throw new PatternError('Invalid range end')
      set += `${inside(low)}-${inside(value)}`
      low = undefined
    } else if (rangeEnd) {
      low = value
      at += 1
    } else set += inside(value)
  }
  return [`[${negated ? '^' : ''}${set}]`, at + 1]
}

function characterAt(text: string, at: number): string {
  const point = text.codePointAt(at)
  return point === undefined ? '' : String.fromCodePoint(point)
}
