import { fixed, lineFrom, page, textAt } from './page.ts'
import { scaleFor } from './scale.ts'

/** One bar, or the words that stand in its place. */
export interface Bar {
  readonly name: string
  /** The class that gives it its colour. */
  readonly colour: string
  readonly value?: { readonly median: number; readonly p95: number; readonly label: string }
  /** Why there is no value. */
  readonly missing?: string
}

/** Bars that are compared. */
export interface BarGroup {
  readonly name: string
  readonly bars: readonly Bar[]
}

const width = 760
const [left, right, row, head, foot] = [130, 150, 18, 44, 30]
const [groupHead, groupGap] = [20, 10]
/** The widest words that stand in a bar's place, in characters. */
const widestWords = 80

/** Groups of horizontal bars from the axis to the median, with a line from there to p95. */
export function barChart(title: string, unit: string, groups: readonly BarGroup[]): string {
  const values = groups.flatMap(({ bars }) =>
    bars.flatMap(({ value }) => (value === undefined ? [] : [value.median, value.p95])),
  )
  const scale = scaleFor(values)
  const xOf = (value: number) => left + scale.at(value) * (width - left - right)
  const body: string[] = []
  let y = head
  for (const { name, bars } of groups) {
    body.push(textAt(12, y + 14, name, 'case'))
    y += groupHead
    for (const bar of bars) {
      body.push(...drawBar(bar, y, xOf))
      y += row
    }
    y += groupGap
  }
  const grid = scale.marks.flatMap((mark) => [
    lineFrom(xOf(mark), head, xOf(mark), y, 'grid'),
    textAt(xOf(mark), y + 16, markLabel(mark), 'quiet middle'),
  ])
  const note = `${unit}, median and p95${scale.logarithmic ? ', logarithmic' : ''}`
  const heading = [textAt(12, 26, title, 'title'), textAt(width - 12, 26, note, 'quiet end')]
  return page(width, y + foot, title, [...heading, ...grid, ...body])
}

function drawBar(
  { name, colour, value, missing = '' }: Bar,
  y: number,
  xOf: (value: number) => number,
): readonly string[] {
  const named = textAt(left - 8, y + 13, name, 'end')
  if (value === undefined) return [named, textAt(left + 6, y + 13, shorten(missing), 'quiet')]
  const end = Math.max(left + 1, xOf(value.median))
  const far = Math.max(end, xOf(value.p95))
  return [
    named,
    `<rect class="${colour}" x="${left}" y="${y + 3}" width="${fixed(end - left)}" height="${row - 6}" rx="2"/>`,
    lineFrom(end, y + row / 2, far, y + row / 2, 'range'),
    lineFrom(far, y + row / 2 - 3, far, y + row / 2 + 3, 'range'),
    textAt(far + 6, y + 13, value.label),
  ]
}

function shorten(words: string): string {
  return words.length > widestWords ? `${words.slice(0, widestWords - 1)}…` : words
}

function markLabel(mark: number): string {
  return String(Number(mark.toPrecision(3)))
}
