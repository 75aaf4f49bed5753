import { Random } from '../../soak/random.ts'
import { median } from '../statistics.ts'

/** A ratio and the interval that holds it with a confidence of 95%. */
export interface Estimate {
  readonly ratio: number
  readonly low: number
  readonly high: number
}

/** How often the rounds are drawn again. */
export const resamples = 10_000

/**
 * The median of the ratios of all rounds, with its 95% interval: a percentile bootstrap, which draws as many rounds
 * with replacement, takes their median, and repeats that. The same ratios and seed give the same interval.
 */
export function estimate(ratios: readonly number[], seed = 1): Estimate {
  const random = new Random(seed, 'bootstrap')
  const drawn = () => median(ratios.map(() => ratios[random.below(ratios.length)] ?? Number.NaN))
  const medians = Array.from({ length: resamples }, drawn).sort((a, b) => a - b)
  const at = (share: number) => medians[Math.round(share * (resamples - 1))] ?? Number.NaN
  return { ratio: median(ratios), low: at(0.025), high: at(0.975) }
}
