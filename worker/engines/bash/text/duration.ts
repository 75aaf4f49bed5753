const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 }

/** The longest time of a timer of Node's, in milliseconds. */
export const LONGEST = 2 ** 31 - 2

/** Milliseconds of `1.5m`, at most {@link LONGEST}. Undefined where it is no duration. */
export function millisecondsOf(duration: string): number | undefined {
  if (duration === 'infinity' || duration === 'inf') return LONGEST
  const [, count, unit = 's'] = /^(\d+\.?\d*|\.\d+)([smhd]?)$/.exec(duration) ?? []
  return count === undefined ? undefined : Math.min(Number(count) * (SECONDS[unit] ?? 1) * 1000, LONGEST)
}
