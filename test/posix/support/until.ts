import { setTimeout as wait } from 'node:timers/promises'

/** Waits for a condition, with a hang guard. */
export async function until(condition: () => boolean | Promise<boolean>, seconds = 30): Promise<void> {
  const end = Date.now() + seconds * 1000
  while (!(await condition())) {
    if (Date.now() > end) throw new Error(`not so within ${seconds} seconds: ${condition}`)
    await wait(20)
  }
}
