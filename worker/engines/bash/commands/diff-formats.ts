import { decode, encode } from '../text/bytes.ts'
import type { Hunk } from './diff-lines.ts'

/** A file that is compared. */
export interface Side {
  readonly name: string
  readonly lines: readonly string[]
  readonly endsWithNewline: boolean
  /** When it was written last; stdin is written now. */
  readonly modified: Date
}

/** Lines from the first to before the second. */
type Range = readonly [number, number]

/** What a group of changes spans with the lines around it. */
interface Span {
  readonly left: Range
  readonly right: Range
}

const MARKS = '\\ No newline at end of file\n'

const range = ([from, to]: Range) => (to - from <= 1 ? `${to}` : `${from + 1},${to}`)

function marked(mark: string, { lines, endsWithNewline }: Side, [from, to]: Range): string {
  return lines
    .slice(from, to)
    .map((line, at) => `${mark}${line}\n${from + at === lines.length - 1 && !endsWithNewline ? MARKS : ''}`)
    .join('')
}

/** The normal format: `2c2`, `<`, `>`. */
export function normal(left: Side, right: Side, found: readonly Hunk[]): string {
  return found
    .map((hunk) => {
      const [removed, added] = [hunk.left[1] > hunk.left[0], hunk.right[1] > hunk.right[0]]
      const kind = removed ? (added ? 'c' : 'd') : 'a'
      const head = `${removed ? range(hunk.left) : hunk.left[0]}${kind}${added ? range(hunk.right) : hunk.right[0]}\n`
      return (
        head + marked('< ', left, hunk.left) + (kind === 'c' ? '---\n' : '') + marked('> ', right, hunk.right)
      )
    })
    .join('')
}

/** The name of a file with its time, or its label. */
function header(mark: string, { name, modified }: Side, label: string | undefined): string {
  if (label !== undefined) return `${mark} ${label}\n`
  const [day = '', clock = ''] = modified.toISOString().split('T')
  return `${mark} ${name}\t${day} ${clock.replace('Z', '')}000000 +0000\n`
}

/** Runs of changes that have at most `2 * context` lines between them. */
function groups(found: readonly Hunk[], context: number): Hunk[][] {
  const all: Hunk[][] = []
  for (const hunk of found) {
    const last = all.at(-1)?.at(-1)
    if (last !== undefined && hunk.left[0] - last.left[1] <= 2 * context) all.at(-1)?.push(hunk)
    else all.push([hunk])
  }
  return all
}

function around(hunks: readonly Hunk[], context: number, left: Side): Span {
  const [first, last] = [hunks[0], hunks.at(-1)]
  if (first === undefined || last === undefined) return { left: [0, 0], right: [0, 0] }
  const before = Math.min(context, first.left[0])
  const after = Math.min(context, left.lines.length - last.left[1])
  return {
    left: [first.left[0] - before, last.left[1] + after],
    right: [first.right[0] - before, last.right[1] + after],
  }
}

/** A format with lines of context. */
interface ContextFormat {
  readonly marks: readonly [string, string]
  readonly block: (left: Side, right: Side, hunks: readonly Hunk[], span: Span) => string
}

function withContext({ marks, block }: ContextFormat) {
  return (
    left: Side,
    right: Side,
    found: readonly Hunk[],
    context: number,
    labels: readonly string[],
  ): string => {
    const head = header(marks[0], left, labels[0]) + header(marks[1], right, labels[1])
    const blocks = groups(found, context).map((hunks) =>
      block(left, right, hunks, around(hunks, context, left)),
    )
    return head + blocks.join('')
  }
}

/** `-u` */
export const unified = withContext({ marks: ['---', '+++'], block: unifiedBlock })

/** `-c` */
export const contextual = withContext({ marks: ['***', '---'], block: contextBlock })

function unifiedBlock(left: Side, right: Side, hunks: readonly Hunk[], span: Span): string {
  const shown = ([from, to]: Range) =>
    to - from === 1 ? `${from + 1}` : `${to === from ? from : from + 1},${to - from}`
  let text = `@@ -${shown(span.left)} +${shown(span.right)} @@\n`
  let [at] = span.left
  for (const hunk of hunks) {
    text +=
      marked(' ', left, [at, hunk.left[0]]) + marked('-', left, hunk.left) + marked('+', right, hunk.right)
    at = hunk.left[1]
  }
  return text + marked(' ', left, [at, span.left[1]])
}

function contextBlock(left: Side, right: Side, hunks: readonly Hunk[], span: Span): string {
  const half = (side: Side, [from, to]: Range, own: 'left' | 'right', sign: string): string => {
    const other = own === 'left' ? 'right' : 'left'
    if (hunks.every((hunk) => hunk[own][0] === hunk[own][1])) return ''
    let [text, at] = ['', from]
    for (const hunk of hunks) {
      const mark = hunk[other][0] === hunk[other][1] ? sign : '!'
      text += marked('  ', side, [at, hunk[own][0]]) + marked(`${mark} `, side, hunk[own])
      at = hunk[own][1]
    }
    return text + marked('  ', side, [at, to])
  }
  return `***************\n*** ${range(span.left)} ****\n${half(left, span.left, 'left', '-')}--- ${range(span.right)} ----\n${half(right, span.right, 'right', '+')}`
}

/** How `-y` writes. */
interface Columns {
  readonly width: number
  readonly leftColumn: boolean
  readonly suppressCommon: boolean
}

/** `-y`: both files side by side. */
export function sideBySide(left: Side, right: Side, found: readonly Hunk[], columns: Columns): string {
  const { half, gutter } = measures(columns.width)
  const sign = Math.floor((half + gutter - 1) / 2)
  const row = (one: string | undefined, mark: string, other: string | undefined): string => {
    let [text, at] = fitted(one ?? '', half, 0)
    if (mark !== ' ') {
      text += blanks(at, sign) + mark
      at = sign + 1
    }
    const [shown] = fitted(other ?? '', half, gutter)
    return shown === '' ? `${text}\n` : `${text}${blanks(at, gutter)}${shown}\n`
  }
  let [text, at, beside] = ['', 0, 0]
  const common = (to: number) => {
    for (; at < to; at += 1, beside += 1)
      if (!columns.suppressCommon)
        text += columns.leftColumn
          ? row(left.lines[at], '(', undefined)
          : row(left.lines[at], ' ', right.lines[beside] ?? '')
  }
  for (const hunk of found) {
    common(hunk.left[0])
    for (at = hunk.left[0], beside = hunk.right[0]; at < hunk.left[1] || beside < hunk.right[1]; ) {
      const one = at < hunk.left[1] ? left.lines[at] : undefined
      const other = beside < hunk.right[1] ? right.lines[beside] : undefined
      text += row(one, one === undefined ? '>' : other === undefined ? '<' : '|', other)
      if (one !== undefined) at += 1
      if (other !== undefined) beside += 1
    }
  }
  common(left.lines.length)
  return text
}

/** The width of a column, and where the second one begins: GNU's measures. */
function measures(width: number): { half: number; gutter: number } {
  const least = 3
  const tab = 8
  const offset = Math.floor(Math.floor((width + tab + least) / 2) / tab) * tab
  const half = Math.max(0, Math.min(offset - least, width - offset))
  return { half, gutter: half === 0 ? width : offset }
}

/** A text cut to a width, its tabs counted; and the column behind it. */
function fitted(text: string, width: number, from: number): [text: string, at: number] {
  let [shown, at] = ['', 0]
  for (const character of decode(text)) {
    const next = character === '\t' ? at + 8 - (at % 8) : at + 1
    if (next > width) break
    shown += character === '\t' ? blanks(from + at, from + next) : character
    at = next
  }
  return [encode(shown), at]
}

/** Blanks from one column to another one: tabs where they fit. */
function blanks(from: number, to: number): string {
  let [text, at] = ['', from]
  while (Math.floor(at / 8 + 1) * 8 <= to) {
    text += '\t'
    at = Math.floor(at / 8 + 1) * 8
  }
  return text + ' '.repeat(Math.max(0, to - at))
}
