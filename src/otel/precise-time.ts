import { performance } from '../async/clock.ts'

let offset = Number.NaN

/** Milliseconds since the epoch, finer than those of `Date.now()` and never apart from them by one. */
export function preciseTime(): number {
  const time = Date.now()
  const elapsed = performance.now()
  const precise = elapsed + offset
  if (precise >= time && precise < time + 1) return precise
  offset = time - elapsed
  return time
}
