import { fixed, lineFrom, page, textAt } from './page.ts'
import { linear } from './scale.ts'

/** A line through its points, in the order of their x. */
export interface Line {
  readonly name: string
  /** The class that gives it its colour. */
  readonly colour: string
  readonly points: readonly (readonly [x: number, y: number])[]
}

const [width, height] = [760, 380]
const [left, right, top, bottom] = [60, 130, 44, 44]
/** Pixels between the names at the ends of lines. */
const nameGap = 15

/** Lines over a common axis, each named at its end. */
export function lineChart(title: string, unit: string, steps: string, lines: readonly Line[]): string {
  const points = lines.flatMap((line) => line.points)
  const across = Math.max(1, ...points.map(([x]) => x))
  const scale = linear(Math.max(0, ...points.map(([, y]) => y)))
  const xOf = (x: number) => left + (x / across) * (width - left - right)
  const yOf = (y: number) => top + (1 - scale.at(y)) * (height - top - bottom)
  const grid = scale.marks.flatMap((mark) => [
    lineFrom(left, yOf(mark), width - right, yOf(mark), 'grid'),
    textAt(left - 8, yOf(mark) + 4, String(Number(mark.toPrecision(3))), 'quiet end'),
  ])
  const ticks = [...new Set(points.map(([x]) => x))].map((x) =>
    textAt(xOf(x), height - bottom + 18, String(x), 'quiet middle'),
  )
  const paths = lines.map(({ colour, points: own }) => {
    const path = own.map(([x, y], index) => `${index === 0 ? 'M' : 'L'}${fixed(xOf(x))} ${fixed(yOf(y))}`)
    return `<path class="line ${colour}" d="${path.join('')}"/>`
  })
  return page(width, height, title, [
    textAt(12, 26, title, 'title'),
    textAt(width - 12, 26, unit, 'quiet end'),
    textAt((left + width - right) / 2, height - 8, steps, 'quiet middle'),
    ...grid,
    ...ticks,
    ...paths,
    ...endNames(lines, yOf),
  ])
}

/** The name of each line beside its last point, moved down where names would overlap. */
function endNames(lines: readonly Line[], yOf: (y: number) => number): readonly string[] {
  const ends = lines
    .map(({ name, colour, points }) => ({ name, colour, y: yOf(points.at(-1)?.[1] ?? 0) + 4 }))
    .sort((one, other) => one.y - other.y)
  const lowest = height - bottom + 4
  let next = top
  return ends.map(({ name, colour, y }, index) => {
    const room = lowest - (ends.length - 1 - index) * nameGap
    const at = Math.min(Math.max(y, next), room)
    next = at + nameGap
    return textAt(width - right + 8, at, name, colour)
  })
}
