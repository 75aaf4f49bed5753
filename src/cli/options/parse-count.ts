import { usageError } from '../failure.ts'

/** Parses a count, such as `4`: an integer of at least `least`. */
export function parseCount(option: string, least = 1, most = 10_000): (text: string) => number {
  return (text) => {
    const count = /^\d+$/.test(text) ? Number(text) : Number.NaN
    if (count >= least && count <= most) return count
    throw usageError(
      `${option}: expected an integer from ${least} to ${most}, but got ${JSON.stringify(text)}.`,
    )
  }
}
