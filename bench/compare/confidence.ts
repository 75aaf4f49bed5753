import { Random } from '../../soak/random.ts'
import { median } from '../statistics.ts'

/** A ratio and its 95% confidence interval. */
export interface Estimate {
  readonly ratio: number
  readonly low: number
  readonly high: number
}

/** How many times the rounds are resampled. */
export const resamples = 5000

/**
 * The median of the ratios of all rounds and its 95% interval, a percentile bootstrap: the rounds are resampled with
 * replacement, and the interval holds the middle 95% of the medians. The same ratios and seed give the same interval.
 */
export function estimate(ratios: readonly number[], seed = 1): Estimate {
  const random = new Random(seed, 'bootstrap')
  const drawn = () => median(ratios.map(() => ratios[random.below(ratios.length)] ?? Number.NaN))
  const medians = Array.from({ length: resamples }, drawn).sort((a, b) => a - b)
  const at = (share: number) => medians[Math.round(share * (resamples - 1))] ?? Number.NaN
  return { ratio: median(ratios), low: at(0.025), high: at(0.975) }
}
