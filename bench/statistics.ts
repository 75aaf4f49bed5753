/** A summary of the samples of one contender. */
export interface Summary {
  /** The median of the medians of the rounds. */
  readonly median: number
  /** 95 of 100 samples are at least as good. */
  readonly p95: number
  /** 99 of 100 samples are at least as good. */
  readonly p99: number
  /** How many samples there were. */
  readonly samples: number
  /** The median of each round, in the order of the rounds. */
  readonly rounds: readonly number[]
}

/** The middle value; of two, the lower. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}

/** The least value that is not below this share (0 to 1) of the values; NaN for no values. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN
}

/** Summarises rounds of samples. */
export function summarize(rounds: readonly (readonly number[])[], better: 'less' | 'more' = 'less'): Summary {
  const samples = rounds.flat()
  const sign = better === 'less' ? 1 : -1
  const signed = samples.map((sample) => sign * sample)
  const worst = (share: number) => sign * quantile(signed, share)
  const medians = rounds.map(median)
  return {
    median: median(medians),
    p95: worst(0.95),
    p99: worst(0.99),
    samples: samples.length,
    rounds: medians,
  }
}

/** The median over the rounds of the ratio of one to another. */
export function ratioOf(one: Summary, other: Summary): number {
  const pairs = Math.min(one.rounds.length, other.rounds.length)
  const ratios = Array.from(
    { length: pairs },
    (_, round) => (one.rounds[round] ?? 0) / (other.rounds[round] ?? 0),
  )
  return median(ratios)
}
