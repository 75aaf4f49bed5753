import { until as untilWithin } from '../../faults/basics.ts'

/** Waits for a condition, with a hang guard that is long enough for another machine's shell. */
export function until(condition: () => boolean | Promise<boolean>, seconds = 30): Promise<void> {
  return untilWithin(condition, seconds)
}
