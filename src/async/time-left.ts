import { performance } from './clock.ts'

/**
 * Seconds that are left of `timeout`, at least 0; undefined where there is none.
 *
 * @param start - when it began to run, by `performance.now()`.
 */
export function timeLeft(timeout: number | undefined, start: number): number | undefined {
  return timeout === undefined ? undefined : Math.max(0, timeout - (performance.now() - start) / 1000)
}
