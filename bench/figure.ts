/** A figure of ours with its baseline and its target. */
export interface Figure {
  readonly name: string
  /** Median of ours, in `unit`. */
  readonly ours: number
  /** Median of the baseline, in `unit`, where there is one. */
  readonly baseline?: number
  readonly unit: 'ms' | 'MiB' | 'KiB' | 'workers' | 'calls/s' | 'sandboxes/s' | 'commands'
  /** The value that is compared with the target: a ratio to the baseline, or ours itself. */
  readonly judged: number
  /** `'shown'`: measured without a target. */
  readonly target: { readonly most: number } | { readonly least: number } | 'shown'
}

/** A measurement of ours alone. Its figures have targets and no charts. */
export interface Check {
  readonly name: string
  /** What it does, in one sentence. */
  readonly does: string
  /** `effort` scales the number of iterations: 1 in a full run. */
  readonly run: (effort: number) => Promise<readonly Figure[]>
}

/** Whether a figure meets its target. */
export function holds({ judged, target }: Figure): boolean {
  if (target === 'shown') return true
  // A figure that was not measured is NaN, or null after JSON.
  if (!Number.isFinite(judged)) return false
  return 'most' in target ? judged <= target.most : judged >= target.least
}

/** A target in words. */
export function limitOf(target: Figure['target']): string {
  if (target === 'shown') return 'shown'
  return 'most' in target ? `at most ${target.most}` : `at least ${target.least}`
}
