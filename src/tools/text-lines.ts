import { clipEnd } from './output/clip.ts'

/** Lines of a file as a model reads them. */
export interface LinesView {
  /** The lines with their numbers, as `cat -n` has them. */
  readonly numbered: string
  /** The same lines as they are. */
  readonly content: string
  /** The number of the first line, from 1. */
  readonly first: number
  /** The number of the last line; less than `first` where there is none. */
  readonly last: number
  readonly total: number
  /** Whether `limit` left out lines that were asked for. */
  readonly endsEarly: boolean
  /** Whether the only line is longer than `limit`, and its end is missing. */
  readonly isCut: boolean
}

/** A text's lines without their breaks; a break at the end begins no line. */
export function linesOf(text: string): string[] {
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines
}

/**
 * Numbers a range of lines, from its first, until `limit` characters are full.
 *
 * @param range - line numbers from 1, both included
 */
export function viewLines(
  lines: readonly string[],
  range: { readonly first: number; readonly last: number },
  limit: number,
): LinesView {
  const last = Math.min(range.last, lines.length)
  const taken: string[] = []
  const numbered: string[] = []
  let room = limit
  for (let number = range.first; number <= last; number++) {
    const line = lines[number - 1] ?? ''
    const shown = numberLine(line, number)
    if (shown.length > room && taken.length > 0) break
    taken.push(clipEnd(line, limit))
    numbered.push(clipEnd(shown, limit))
    room -= shown.length + 1
  }
  const shownLast = range.first + taken.length - 1
  return {
    numbered: numbered.join('\n'),
    content: taken.join('\n'),
    first: range.first,
    last: shownLast,
    total: lines.length,
    endsEarly: shownLast < last,
    isCut: room < -1,
  }
}

function numberLine(line: string, number: number): string {
  return `${String(number).padStart(6)}\t${line}`
}
