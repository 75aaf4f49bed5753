import type { Verdict } from './bounds.ts'
import type { Gauge, Sample } from './gauges.ts'
import type { SoakOptions } from './options.ts'
import { type Chart, plotSvg } from './plot.ts'

/** What a run came to. */
export interface SoakReport {
  readonly options: SoakOptions
  /** Seconds that it took. */
  readonly seconds: number
  readonly steps: number
  readonly calls: number
  readonly closed: number
  readonly injected: number
  readonly seen: number
  /** Cores that it kept busy, cells included. */
  readonly cores: number
  readonly verdicts: readonly Verdict[]
  readonly samples: readonly Sample[]
  /** What was violated, and the last steps of whoever met it. */
  readonly violation?: { readonly message: string; readonly trace: readonly string[] }
}

/** The figures of a report, as lines for people. */
export function summaryOf(report: SoakReport): readonly string[] {
  const { options, seconds, steps, calls, closed, injected, seen, cores, verdicts } = report
  const { levels, seed, sandboxes } = options
  return [
    `${levels.join(', ')}: ${Math.round(seconds)} s, ${sandboxes} actors a level, seed ${seed}, ${cores.toFixed(2)} cores`,
    `${steps} steps, ${calls} calls, ${closed} sandboxes closed or collected, ${injected} losses injected, ${seen} seen`,
    ...verdicts.map(({ gauge, first, last, highest, growth, most }) => {
      const figures = [`first quarter ${show(first)}`, `last ${show(last)} (growth at most ${show(growth)})`]
      return `${gauge.padEnd(14)} ${figures.join(', ')}, highest ${show(highest)} (at most ${most})`
    }),
  ]
}

/** What was violated, and how to see it again; undefined where nothing was. */
export function complaintOf({ options, violation }: SoakReport): string | undefined {
  if (violation === undefined) return undefined
  return [`VIOLATED (seed ${options.seed}): ${violation.message}`, ...violation.trace].join('\n')
}

/** The samples of a report as an SVG document. */
export function plotOf(report: SoakReport): string {
  const { options, seconds, calls, closed, seen, samples } = report
  const line = (name: string, gauge: Gauge) => ({ name, points: thinned(samples, gauge) })
  const chart = (title: string, ...lines: Chart['lines']): Chart => ({ title, lines })
  return plotSvg({
    title: `Soak, isolation ${options.levels.join(', ')}: ${Math.round(seconds / 6) / 10} min`,
    subtitle: `${calls} calls, ${closed} sandboxes closed or collected, ${seen} sessions lost to injected faults; seed ${options.seed}`,
    xUnit: 'min',
    charts: [
      { ...chart('Memory', line('resident', 'rss'), line('heap', 'heap')), unit: 'MiB' },
      {
        ...chart('Memory of cells', line('all', 'cellRss'), line('the lasting one', 'lastingRss')),
        unit: 'MiB',
      },
      chart('Descriptors', line('descriptors', 'descriptors')),
      chart('Threads', line('all', 'threads'), line('engine', 'nativeThreads'), line('workers', 'workers')),
      chart('Cells', line('processes', 'processes')),
      chart('Threads of all cells', line('threads', 'cellThreads')),
      chart('Calls in flight', line('calls', 'inFlight')),
      chart('Losses', line('injected', 'injected'), line('seen', 'seen')),
      chart('Sandboxes', line('closed', 'closed'), line('not held', 'unheld')),
    ],
  })
}

/** At most so many points, each the mean of its neighbours. */
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
