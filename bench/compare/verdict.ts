import { formatValue } from '../show.ts'
import { median } from '../statistics.ts'
import { type Estimate, estimate, resamples } from './confidence.ts'
import type { ComparedTimes } from './run-comparison.ts'

/** The ratio that the lower end of every interval has to reach. */
const leastRatio = 0.95

/** What a comparison came to: times in milliseconds, and how many times as fast the build of now is. */
export interface Verdict extends Estimate {
  readonly name: string
  readonly before: number
  readonly now: number
}

/** Judges the times of a comparison. The ratio of a round is the time before over the time now. */
export function verdictOf(name: string, { before, now }: ComparedTimes): Verdict {
  const ratios = before.map((time, round) => time / (now[round] ?? Number.NaN))
  return { name, before: median(before), now: median(now), ...estimate(ratios) }
}

/** Whether the interval of a comparison reaches `leastRatio`; false where nothing was measured. */
export function passes({ low }: Verdict): boolean {
  return low >= leastRatio
}

const widths = [-14, 13, 13, 8, 18] as const

/** What the columns mean, and their heads. */
export const tableHead: readonly string[] = [
  'ratio: time before / time now, the median over the rounds; above 1 is faster now.',
  `95% interval: percentile bootstrap of that median over the rounds, ${resamples} resamples.`,
  '',
  row(['scenario', 'before', 'now', 'ratio', '95% interval']),
]

/** A comparison as a row of the table. */
export function tableRow(verdict: Verdict): string {
  const { name, before, now, ratio, low, high } = verdict
  const milliseconds = (value: number) => `${formatValue(value)} ms`
  const interval = `${low.toFixed(3)} to ${high.toFixed(3)}`
  const cells = [name, milliseconds(before), milliseconds(now), ratio.toFixed(3), interval]
  return `${row(cells)}${passes(verdict) ? '' : `  below ${leastRatio}`}`
}

/** A line for each comparison that does not pass. */
export function failuresIn(verdicts: readonly Verdict[]): readonly string[] {
  return verdicts
    .filter((verdict) => !passes(verdict))
    .map(({ name, low, high }) => {
      const hint = high < 1 ? '' : ' The interval contains 1: use an idle machine or more --rounds.'
      return `${name}: the lower bound ${low.toFixed(3)} is below ${leastRatio}.${hint}`
    })
}

function row(cells: readonly string[]): string {
  return cells
    .map((cell, index) => {
      const width = widths[index] ?? 0
      return width < 0 ? cell.padEnd(-width) : cell.padStart(width)
    })
    .join('')
}
