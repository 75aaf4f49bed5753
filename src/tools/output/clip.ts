/** What a clipped text lacks. */
interface LeftOut {
  /** Characters (UTF-16 units). */
  readonly characters: number
  /** Lines that are missing, whole or in part. */
  readonly lines: number
}

/** A text that fits, or the two ends of one that does not. */
export type Clipped =
  | { readonly isWhole: true; readonly text: string }
  | { readonly isWhole: false; readonly head: string; readonly tail: string; readonly leftOut: LeftOut }

/** How far from its place a cut may go to be between two lines, as a part of what is kept there. */
const LINE_SLACK = 1 / 4

/**
 * Keeps the beginning and the end of a text, about half of `limit` each, cut between lines where one ends nearby. A
 * surrogate pair is never split.
 *
 * @param limit - most characters (UTF-16 units) that are kept
 */
export function clip(text: string, limit: number): Clipped {
  if (text.length <= limit) return { isWhole: true, text }
  const half = Math.floor(limit / 2)
  const headEnd = endOfHead(text, limit - half)
  const tailStart = startOfTail(text, half)
  const middle = text.slice(headEnd, tailStart)
  return {
    isWhole: false,
    head: text.slice(0, headEnd),
    tail: text.slice(tailStart),
    leftOut: { characters: middle.length, lines: countLines(middle) },
  }
}

function endOfHead(text: string, length: number): number {
  const lineEnd = text.lastIndexOf('\n', length - 1) + 1
  if (lineEnd > length * (1 - LINE_SLACK)) return lineEnd
  return splitsPair(text, length) ? length - 1 : length
}

function startOfTail(text: string, length: number): number {
  const start = text.length - length
  const lineStart = text.indexOf('\n', start - 1) + 1
  if (lineStart > 0 && lineStart < start + length * LINE_SLACK) return lineStart
  return splitsPair(text, start) ? start + 1 : start
}

/** The beginning of a text, at most `limit` characters of it; a surrogate pair is never split. */
export function clipEnd(text: string, limit: number): string {
  if (text.length <= limit) return text
  return text.slice(0, splitsPair(text, limit) ? limit - 1 : limit)
}

/** How many lines a text has: one that ends with a line break has none after it. */
export function countLines(text: string): number {
  if (text === '') return 0
  let breaks = 0
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) breaks++
  return text.endsWith('\n') ? breaks : breaks + 1
}

function splitsPair(text: string, index: number): boolean {
  const [before, after] = [text.charCodeAt(index - 1), text.charCodeAt(index)]
  return before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff
}
