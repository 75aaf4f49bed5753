/** How much a run of the tests covers: `default` in `npm test`, `full` in `npm run test:full`. */
export type Tier = 'default' | 'full'

const given = process.env['TEST_TIER'] ?? 'default'
if (given !== 'default' && given !== 'full') {
  throw new Error(`TEST_TIER must be 'default' or 'full', but is ${JSON.stringify(given)}.`)
}

/** The tier of this run. */
export const tier: Tier = given

/** True where everything runs: every isolation level, soak, chaos and long fuzz. */
export const isFull = tier === 'full'

/** A count of cases, or seconds, by tier. */
export function byTier({ standard, full }: { readonly standard: number; readonly full: number }): number {
  return isFull ? full : standard
}
