import { formatValue } from '../show.ts'
import { median } from '../statistics.ts'
import { type Estimate, estimate, resamples } from './confidence.ts'
import type { ComparedTimes } from './run-comparison.ts'

/** What a comparison has to reach. */
export interface Bar {
  /** The end of the interval that has to reach it. */
  readonly end: 'low' | 'high'
  readonly ratio: number
}

/** For a quiet machine: it is certain that nothing is slower by more than a twentieth. */
export const strictBar: Bar = { end: 'low', ratio: 0.95 }

/** For a busy machine: it is not certain that something takes longer by more than so many percent. */
export function tolerantBar(percent: number): Bar {
  return { end: 'high', ratio: 1 / (1 + percent / 100) }
}

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

/** Whether a comparison reaches a bar; false where nothing was measured. */
export function passes(verdict: Verdict, bar: Bar): boolean {
  return verdict[bar.end] >= bar.ratio
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
export function tableRow(verdict: Verdict, bar: Bar): string {
  const { name, before, now, ratio, low, high } = verdict
  const milliseconds = (value: number) => `${formatValue(value)} ms`
  const interval = `${low.toFixed(3)} to ${high.toFixed(3)}`
  const cells = [name, milliseconds(before), milliseconds(now), ratio.toFixed(3), interval]
  return `${row(cells)}${passes(verdict, bar) ? '' : `  below ${shown(bar)}`}`
}

/** A line for each comparison that does not pass. */
export function failuresIn(verdicts: readonly Verdict[], bar: Bar): readonly string[] {
  const bound = bar.end === 'low' ? 'lower' : 'upper'
  return verdicts
    .filter((verdict) => !passes(verdict, bar))
    .map((verdict) => {
      const hint = verdict.high < 1 ? '' : ' The interval contains 1: use an idle machine or more --rounds.'
      return `${verdict.name}: the ${bound} bound ${verdict[bar.end].toFixed(3)} is below ${shown(bar)}.${hint}`
    })
}

function shown({ ratio }: Bar): string {
  return String(Number(ratio.toFixed(3)))
}

function row(cells: readonly string[]): string {
  return cells
    .map((cell, index) => {
      const width = widths[index] ?? 0
      return width < 0 ? cell.padEnd(-width) : cell.padStart(width)
    })
    .join('')
}
