/** How much a run of the tests covers: `default` in `npm test`, `full` in `npm run test:full`. */
export type Tier = 'default' | 'full'

const tier = process.env['TEST_TIER'] ?? 'default'
if (tier !== 'default' && tier !== 'full') {
  throw new Error(`TEST_TIER must be 'default' or 'full', but is ${JSON.stringify(tier)}.`)
}

/** True where everything runs: every isolation level, soak, chaos and long fuzz. */
export const isFull: boolean = tier === 'full'

/** What a test covers by tier, such as a count of cases. */
export function byTier<T>(choices: Readonly<Record<Tier, T>>): T {
  return choices[isFull ? 'full' : 'default']
}

/** How many times the counts of property tests are run. `FUZZ_RUNS` sets another factor, such as 40 for a long run. */
export const caseFactor: number = Number(process.env['FUZZ_RUNS'] ?? byTier({ default: 0.2, full: 5 }))

/** The number of cases of a property test: a fifth of `count` in the default tier, five times as many in the full tier. */
export function cases(count: number): number {
  return Math.max(1, Math.round(count * caseFactor))
}

/** All in the full tier; in the default tier the first of each kind. */
export function sample<T>(all: readonly T[], kindOf: (one: T) => string): readonly T[] {
  const kinds = new Set<string>()
  return all.filter((one) => isFull || (!kinds.has(kindOf(one)) && kinds.add(kindOf(one))))
}
