/** A part of a word whose expansions are done. */
export interface Segment {
  readonly value: string
  /** It is the value of an expansion without quotes. */
  readonly isSplittable: boolean
  /** It makes a word, also where it is empty. */
  readonly isQuoted?: boolean
}

const BLANKS = ' \t\n'

/** The words that the parts of a word make, as bash splits them by the characters of `IFS`. */
export function splitWords(segments: readonly Segment[], ifs: string): string[] {
  const [only] = segments
  if (segments.length === 1 && only?.isSplittable && ifs === BLANKS)
    return only.value.split(/[ \t\n]+/).filter((word) => word !== '')
  const delimiters = new Set(ifs)
  const words: string[] = []
  let word: string | undefined
  // A blank has ended a word: a delimiter behind it belongs to that end.
  let isEnded = false
  const end = () => {
    words.push(word ?? '')
    word = undefined
  }
  for (const { value, isSplittable, isQuoted } of segments) {
    if (!isSplittable) {
      if (isQuoted || value !== '') word = (word ?? '') + value
      continue
    }
    for (let from = 0; from < value.length; ) {
      const character = value[from] ?? ''
      if (delimiters.has(character)) {
        const isBlank = BLANKS.includes(character)
        if (word !== undefined) {
          end()
          isEnded = isBlank
        } else if (!isBlank && isEnded) isEnded = false
        else if (!isBlank) end()
        from += 1
        continue
      }
      let to = from + 1
      while (to < value.length && !delimiters.has(value[to] ?? '')) to += 1
      word = (word ?? '') + value.slice(from, to)
      from = to
    }
  }
  if (word !== undefined) end()
  return words
}
