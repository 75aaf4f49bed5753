import { MIRROR_ALLOWANCE } from '../../contract/lease.ts'
import { valueThat } from '../../sandbox/schema-parts.ts'

/** Seconds: a century. No engine waits longer, and no timer overflows. */
const longestTimeout = 100 * 366 * 86_400

/** Seconds that a deadline may be. */
export const seconds = secondsUpTo(longestTimeout)

/** Seconds that mirroring may take. */
export const allowanceSeconds = secondsUpTo(MIRROR_ALLOWANCE)

function secondsUpTo(most: number) {
  return valueThat((value): value is number => typeof value === 'number' && value >= 0 && value <= most)
}
