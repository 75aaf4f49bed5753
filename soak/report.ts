import type { Verdict } from './bounds.ts'
import type { Gauge, Sample } from './gauges.ts'
import type { SoakOptions } from './options.ts'
import { type Chart, plotSvg } from './plot.ts'

/** The results of a run. */
export interface SoakReport {
  readonly options: SoakOptions
  /** Duration of the run. */
  readonly seconds: number
  readonly steps: number
  readonly calls: number
  readonly closed: number
  readonly injected: number
  readonly seen: number
  /** Mean number of busy cores, cells included. */
  readonly cores: number
  readonly verdicts: readonly Verdict[]
  readonly samples: readonly Sample[]
  /** The first violation, and the last steps of the actors concerned. */
  readonly violation?: { readonly message: string; readonly trace: readonly string[] }
}

/** The figures of a report, as lines for people. */
export function summaryOf(report: SoakReport): readonly string[] {
  const { options, seconds, steps, calls, closed, injected, seen, cores, verdicts } = report
  const { shell, levels, seed, sandboxes } = options
  return [
    `${shell}, ${levels.join(', ')}: ${Math.round(seconds)} s, ${sandboxes} actors a level, seed ${seed}, ${cores.toFixed(2)} cores`,
    `${steps} steps, ${calls} calls, ${closed} sandboxes closed or collected, ${injected} losses injected, ${seen} seen`,
    ...verdicts.map(({ gauge, first, last, highest, growth, most }) => {
      const figures = [`first quarter ${show(first)}`, `last ${show(last)} (growth at most ${show(growth)})`]
      return `${gauge.padEnd(14)} ${figures.join(', ')}, highest ${show(highest)} (at most ${most})`
    }),
  ]
}

/** The violation with the seed to replay it; undefined where there is none. */
export function complaintOf({ options, violation }: SoakReport): string | undefined {
  if (violation === undefined) return undefined
  return [`VIOLATED (seed ${options.seed}): ${violation.message}`, ...violation.trace].join('\n')
}

/** The charts, and the names of their lines. */
const charts: readonly {
  readonly title: string
  readonly unit?: string
  readonly lines: [string, Gauge][]
}[] = [
  {
    title: 'Memory',
    unit: 'MiB',
    lines: [
      ['resident', 'rss'],
      ['heap', 'heap'],
    ],
  },
  {
    title: 'Memory of cells',
    unit: 'MiB',
    lines: [
      ['all', 'cellRss'],
      ['one without faults', 'lastingRss'],
    ],
  },
  { title: 'Descriptors', lines: [['descriptors', 'descriptors']] },
  {
    title: 'Threads',
    lines: [
      ['all', 'threads'],
      ['engine', 'nativeThreads'],
      ['workers', 'workers'],
    ],
  },
  { title: 'Cells', lines: [['processes', 'processes']] },
  { title: 'Threads of all cells', lines: [['threads', 'cellThreads']] },
  { title: 'Calls in flight', lines: [['calls', 'inFlight']] },
  {
    title: 'Lost sessions',
    lines: [
      ['by faults', 'injected'],
      ['told', 'seen'],
    ],
  },
  { title: 'Closed sandboxes', lines: [['closed', 'closed']] },
  { title: 'Open sandboxes that nobody holds', lines: [['not held', 'unheld']] },
]

/** The samples of a report as an SVG document, without the lines that are always 0. */
export function plotOf(report: SoakReport): string {
  const { options, seconds, calls, closed, seen, samples } = report
  const drawn = charts.map(({ lines, ...chart }): Chart => {
    const there = lines.filter(([, gauge]) => samples.some((sample) => sample[gauge] > 0))
    return { ...chart, lines: there.map(([name, gauge]) => ({ name, points: thinned(samples, gauge) })) }
  })
  return plotSvg({
    title: `Soak of ${options.shell}, isolation ${options.levels.join(', ')}: ${Math.round(seconds / 60)} min`,
    subtitle: `${calls} calls, ${closed} sandboxes closed or collected, ${seen} sessions lost to injected faults; seed ${options.seed}`,
    xUnit: 'min',
    charts: drawn.filter(({ lines }) => lines.length > 0),
  })
}

/** At most `most` points, each the mean of neighbouring samples. */
function thinned(
  samples: readonly Sample[],
  gauge: Gauge,
  most = 200,
): readonly (readonly [number, number])[] {
  const size = Math.max(1, Math.ceil(samples.length / most))
  return Array.from({ length: Math.ceil(samples.length / size) }, (_, index) => {
    const group = samples.slice(index * size, (index + 1) * size)
    const mean = (of: Gauge) => group.reduce((sum, sample) => sum + sample[of], 0) / group.length
    return [mean('at') / 60, mean(gauge)] as const
  })
}

function show(value: number): string {
  return value.toFixed(value < 100 ? 1 : 0)
}
