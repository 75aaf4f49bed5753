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

const SET = /^\[([!^]?)(\]?[^\]]*)\]/su

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
  for (let rest = pattern; rest !== ''; ) {
    const set = SET.exec(rest)
    const [character = ''] = rest
    parts.push(
      set === null
        ? parsePart(character, crossing || rest.startsWith('**'))
        : parseSet(set[1] !== '', set[2] ?? ''),
    )
    rest = rest.slice(set?.[0].length ?? character.length)
  }
  return parts
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
  // reached[j]: the parts of `a` so far and the first j of `b` have a text in common.
  let reached = [true]
  for (const [j, part] of b.entries()) reached.push(reached[j] === true && part.kind === 'star')
  for (const part of a) {
    const next = [reached[0] === true && part.kind === 'star']
    for (const [j, other] of b.entries()) {
      const without = { a: reached[j + 1] === true, b: next[j] === true, neither: reached[j] === true }
      next.push(isReached(part, other, without))
    }
    reached = next
  }
  return reached.at(-1) === true
}

/** Whether two parts have a text in common at their ends, given what was reached without each of them. */
function isReached(a: GlobPart, b: GlobPart, without: { a: boolean; b: boolean; neither: boolean }): boolean {
  if (a.kind !== 'star' && b.kind !== 'star') return without.neither && charactersMeet(a, b)
  // A star stands for nothing, or for one more character of the other.
  if (a.kind === 'star' && (without.a || (without.b && accepts(a, b)))) return true
  return b.kind === 'star' && (without.b || (without.a && accepts(b, a)))
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
