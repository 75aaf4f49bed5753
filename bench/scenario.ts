/** One figure: ours, what it is held against, and what it must not pass. */
export interface Figure {
  readonly name: string
  /** Median of ours, in `unit`. */
  readonly ours: number
  /** Median of the baseline, in `unit`, where there is one. */
  readonly baseline?: number
  readonly unit: 'ms' | 'MiB'
  /** What is judged: a ratio to the baseline, or ours itself. */
  readonly judged: number
  /** `'shown'`: measured, and held to nothing. */
  readonly target: { readonly most: number } | { readonly least: number } | 'shown'
}

/** A measurement of one aspect, in one file. */
export interface Scenario {
  readonly name: string
  /** `effort` scales the number of iterations: 1 in a full run. */
  readonly run: (effort: number) => Promise<readonly Figure[]>
}

/** Whether a figure is within its target. */
export function holds({ judged, target }: Figure): boolean {
  if (target === 'shown') return true
  return 'most' in target ? judged <= target.most : judged >= target.least
}

/** The middle value; of two, the lower. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? Number.NaN
}
