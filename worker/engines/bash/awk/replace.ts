import type { Match, Pattern } from '../text/pattern.ts'

/** A replacement of `sub` and `gsub`: `&` is the match, `\&` an ampersand. With groups also `\1`, as in `gensub`. */
function expand(replacement: string, { texts }: Match, groups: boolean): string {
  if (!/[\\&]/.test(replacement)) return replacement
  const [whole = ''] = texts
  return replacement.replaceAll(/\\(\\|&|\d)|&/g, (found, escaped: string | undefined) => {
    if (escaped === undefined) return whole
    if (escaped === '&' || escaped === '\\') return escaped
    return groups ? (texts[Number(escaped)] ?? '') : found
  })
}

/** The text with matches replaced. `which` is `all`, or the number of the one match. */
export function replace(
  text: string,
  pattern: Pattern,
  replacement: string,
  which: 'all' | number,
  groups = false,
): { readonly text: string; readonly count: number } {
  const pieces: string[] = []
  let from = 0
  let seen = 0
  let count = 0
  for (const match of pattern.all(text)) {
    seen += 1
    if (which !== 'all' && seen < which) continue
    count += 1
    pieces.push(text.slice(from, match.index), expand(replacement, match, groups))
    from = match.index + (match.texts[0] ?? '').length
    if (which !== 'all') break
  }
  return count === 0 ? { text, count } : { text: pieces.join('') + text.slice(from), count }
}
