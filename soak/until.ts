import { setTimeout as sleep } from 'node:timers/promises'
import { Violation } from './violation.ts'

/** Waits for a condition. @throws {Violation} where it does not hold in time */
export async function until(condition: () => boolean, seconds: number, message: () => string): Promise<void> {
  const deadline = performance.now() + seconds * 1000
  while (!condition()) {
    if (performance.now() > deadline) throw new Violation(`${message()}, ${seconds} s later`)
    await sleep(20)
  }
}
