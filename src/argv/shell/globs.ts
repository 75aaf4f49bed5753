/** A glob, character by character: `?` is any one, `[…]` one of a set, `*` any number of them. */
export type Glob = readonly GlobPart[]

type GlobPart =
  | { readonly kind: 'star'; readonly crossing: boolean }
  | { readonly kind: 'any' }
  | { readonly kind: 'one'; readonly character: string }
  | {
      readonly kind: 'set'
      readonly negated: boolean
      readonly ranges: readonly (readonly [number, number])[]
    }

const SET = /\[([!^]?)(\]?[^\]]*)\]/suy

/** True for a text with a character that means something in a glob. */
export function hasWildcard(text: string): boolean {
  return /[*?[]/.test(text)
}

/**
 * Reads a glob; a `[` that is not closed stands for itself.
 *
 * @param crossing - Whether `*` also stands for `/`, as in Python's `fnmatch`; `**` always does.
 */
export function parseGlob(pattern: string, crossing = true): Glob {
  const parts: GlobPart[] = []
  const lastClosing = pattern.lastIndexOf(']')
  for (let at = 0; at < pattern.length; ) {
    const set = at < lastClosing ? setAt(pattern, at) : null
    const character = String.fromCodePoint(pattern.codePointAt(at) ?? 0)
    parts.push(
      set === null
        ? parsePart(character, crossing || pattern.startsWith('**', at))
        : parseSet(set[1] !== '', set[2] ?? ''),
    )
    at += set?.[0].length ?? character.length
  }
  return parts
}

function setAt(pattern: string, index: number): RegExpExecArray | null {
  SET.lastIndex = index
  return SET.exec(pattern)
}

/** A text as the glob that only it matches. */
export function literalGlob(text: string): Glob {
  return Array.from(text, (character) => ({ kind: 'one', character }))
}

/**
 * True where some text matches both globs: with a {@link literalGlob}, where the text matches the other. Of two sets
 * it is assumed. Takes time in proportion to the product of their lengths.
 */
export function globsMeet(a: Glob, b: Glob): boolean {
  const [short, long] = a.length < b.length ? [a, b] : [b, a]
  // reached[j]: the parts of `long` so far and the first j of `short` have a text in common.
  let reached = [true]
  for (const [j, part] of short.entries()) reached.push(reached[j] === true && part.kind === 'star')
  for (const part of long) {
    const next = [reached[0] === true && part.kind === 'star']
    let isAlive = next[0] === true
    for (let j = 0; j < short.length; j++) {
      const other = short[j]
      if (other === undefined) break
      const isHere = isReached(part, other, reached[j + 1] === true, next[j] === true, reached[j] === true)
      next.push(isHere)
      isAlive ||= isHere
    }
    if (!isAlive) return false
    reached = next
  }
  return reached.at(-1) === true
}

/** Whether two parts have a text in common at their ends, given what was reached without each of them. */
function isReached(
  a: GlobPart,
  b: GlobPart,
  withoutA: boolean,
  withoutB: boolean,
  without: boolean,
): boolean {
  if (a.kind !== 'star' && b.kind !== 'star') return without && charactersMeet(a, b)
  // A star stands for nothing, or for one more character of the other.
  if (a.kind === 'star' && (withoutA || (withoutB && accepts(a, b)))) return true
  return b.kind === 'star' && (withoutB || (withoutA && accepts(b, a)))
}

function accepts(star: Extract<GlobPart, { kind: 'star' }>, other: GlobPart): boolean {
  return star.crossing || other.kind !== 'one' || other.character !== '/'
}

function charactersMeet(a: GlobPart, b: GlobPart): boolean {
  if (a.kind === 'one' && b.kind === 'one') return a.character === b.character
  if (a.kind === 'set' && b.kind === 'one') return isInSet(a, b.character)
  if (a.kind === 'one' && b.kind === 'set') return isInSet(b, a.character)
  return true
}

function isInSet(set: Extract<GlobPart, { kind: 'set' }>, character: string): boolean {
  const code = character.codePointAt(0) ?? 0
  return set.ranges.some(([from, to]) => from <= code && code <= to) !== set.negated
}

function parsePart(character: string, crossing: boolean): GlobPart {
  if (character === '*') return { kind: 'star', crossing }
  return character === '?' ? { kind: 'any' } : { kind: 'one', character }
}

function parseSet(negated: boolean, text: string): GlobPart {
  const codes = Array.from(text, (character) => character.codePointAt(0) ?? 0)
  const ranges: [number, number][] = []
  for (let i = 0; i < codes.length; i++) {
    const from = codes[i] ?? 0
    const to = codes[i + 2]
    const isRange = codes[i + 1] === 0x2d && to !== undefined
    ranges.push([from, isRange ? to : from])
    if (isRange) i += 2
  }
  return { kind: 'set', negated, ranges }
}
