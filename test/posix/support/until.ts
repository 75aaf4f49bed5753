import { until as untilWithin } from '../../faults/basics.ts'

/** Waits for a condition that takes a look at all processes, with a guard long enough for another machine's shell. */
export function until(condition: () => boolean | Promise<boolean>, seconds = 60): Promise<void> {
  return untilWithin(condition, seconds, 100)
}
