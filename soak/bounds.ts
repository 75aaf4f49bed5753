import type { Gauge, Sample } from './gauges.ts'
import { Violation } from './violation.ts'

/** The cap of a gauge, and its allowed growth from the first quarter of a run to the last. */
export interface Bound {
  readonly gauge: Gauge
  readonly most: number
  readonly growth: number
  /**
   * Allowed growth for each sandbox that was closed between the two, where that is more than `growth`. Resident memory
   * needs it: the allocator keeps freed memory in pieces that are too small to reuse.
   *
   * @default 0
   */
  readonly growthOfClosed?: number
  /** The quantile of a quarter that is compared: 0.5 is the median. For the heap it is low: the size after a collection. */
  readonly quantile: number
}

/** A bound with what the gauge came to. */
export interface Verdict extends Bound {
  readonly highest: number
  readonly first: number
  readonly last: number
}

const median = 0.5

/** MiB of memory for each closed sandbox. */
const growthOfClosed = 10 / 1024

/** The bounds of a run: memory in MiB, the others are counts. */
export const bounds: readonly Bound[] = [
  { gauge: 'rss', most: 2048, growth: 48, growthOfClosed, quantile: median },
  { gauge: 'heap', most: 512, growth: 8, quantile: 0.1 },
  { gauge: 'cellRss', most: 4096, growth: 160, quantile: median },
  { gauge: 'lastingRss', most: 1024, growth: 48, growthOfClosed, quantile: median },
  { gauge: 'descriptors', most: 600, growth: 12, quantile: median },
  { gauge: 'threads', most: 400, growth: 16, quantile: median },
  { gauge: 'nativeThreads', most: 250, growth: 12, quantile: median },
  { gauge: 'workers', most: 60, growth: 6, quantile: median },
  { gauge: 'processes', most: 20, growth: 3, quantile: median },
  { gauge: 'cellThreads', most: 800, growth: 60, quantile: median },
  { gauge: 'inFlight', most: 600, growth: 20, quantile: median },
  { gauge: 'unheld', most: 100, growth: 12, quantile: median },
]

/**
 * Number of first samples that are ignored as warm-up; at most a third of a run. A run that is not longer is all warm-up:
 * its gauges may grow up to their caps.
 */
const warmUp = 120

/** A run with fewer samples is short. Gauges may still be rising, so `allowance` multiplies the allowed growth. */
const short = { samples: 600, allowance: 4 }

/** Compares each gauge of a run with its bound. */
export function judge(samples: readonly Sample[]): readonly Verdict[] {
  const warm = samples.slice(Math.min(warmUp, Math.floor(samples.length / 3)))
  const quarter = Math.max(1, Math.floor(warm.length / 4))
  const [first, last] = [warm.slice(0, quarter), warm.slice(-quarter)]
  const closed = valueAt(last, 'closed', median) - valueAt(first, 'closed', median)
  return bounds.map((bound) => {
    const { gauge, quantile, growth, growthOfClosed: each = 0 } = bound
    return {
      ...bound,
      growth:
        samples.length <= warmUp
          ? Number.POSITIVE_INFINITY
          : Math.max(growth * (samples.length < short.samples ? short.allowance : 1), closed * each),
      highest: samples.reduce((highest, sample) => Math.max(highest, sample[gauge]), 0),
      first: valueAt(first, gauge, quantile),
      last: valueAt(last, gauge, quantile),
    }
  })
}

/** @throws {Violation} where a gauge is above its cap */
export function checkCaps(sample: Sample): void {
  for (const { gauge, most } of bounds) {
    if (sample[gauge] > most)
      throw new Violation(`${gauge} is ${round(sample[gauge])}, and may be ${most} at most`)
  }
}

/** @throws {Violation} where a gauge has grown more than allowed */
export function checkGrowth(verdicts: readonly Verdict[]): void {
  for (const { gauge, growth, first, last } of verdicts) {
    if (last - first <= growth) continue
    throw new Violation(
      `${gauge} grew from ${round(first)} in the first quarter to ${round(last)} in the last, and may by ${round(growth)}`,
    )
  }
}

/** How many more there may be after everything was closed than at the start. Node starts some threads and pipes late. */
const mayStay = { workers: 0, nativeThreads: 0, processes: 0, threads: 8, descriptors: 8 } as const

/** What is left beyond the start, in words. */
export function leftOf(before: Sample, after: Sample): readonly string[] {
  const names = Object.keys(mayStay) as (keyof typeof mayStay)[]
  return names
    .filter((gauge) => after[gauge] > before[gauge] + mayStay[gauge])
    .map((gauge) => `${after[gauge]} ${gauge} (${before[gauge]} at the start)`)
}

function valueAt(samples: readonly Sample[], gauge: Gauge, quantile: number): number {
  const sorted = samples.map((sample) => sample[gauge]).sort((a, b) => a - b)
  return sorted[Math.floor((sorted.length - 1) * quantile)] ?? 0
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
