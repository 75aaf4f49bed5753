import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'

/** The worker entry whose engine fails on demand; the global set-up builds it. */
export const faultyWorker: URL = pathToFileURL(
  fileURLToPath(new URL('../../.tmp/faulty-worker.cjs', import.meta.url)),
)

/**
 * Waits for a condition; the deadline, in seconds, is a guard against hanging. `interval`: between
 * the first two looks, in milliseconds; the later ones are up to 40 ms apart, since looks take processor time from what
 * is waited for.
 */
export async function until(
  condition: () => boolean | Promise<boolean>,
  seconds = 60,
  interval = 5,
): Promise<void> {
  const deadline = performance.now() + seconds * 1000
  for (let pause = interval; !(await condition()); pause = Math.max(interval, Math.min(40, pause * 1.2))) {
    if (performance.now() > deadline) throw new Error(`not within ${seconds} s: ${condition.toString()}`)
    await sleep(pause)
  }
}

/** Fails if a promise takes longer than a hang guard, in seconds. */
export async function within<T>(seconds: number, promise: Promise<T>): Promise<T> {
  const guard = new AbortController()
  const hang = sleep(seconds * 1000, undefined, { signal: guard.signal }).then(() => {
    throw new Error(`still pending after ${seconds} s`)
  })
  try {
    return await Promise.race([promise, hang])
  } finally {
    guard.abort()
    hang.catch(() => undefined)
  }
}

/** Milliseconds that a call takes, however it ends. */
export async function durationOf(call: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await call().catch(() => undefined)
  return performance.now() - start
}

/** True while a thread of a process runs: what an orphan leaves is for the system's first process to clear away. */
export function runs(pid: number): boolean {
  try {
    const threads = readdirSync(`/proc/${pid}/task`)
    return threads.length > 1 || !readFileSync(`/proc/${pid}/stat`, 'latin1').includes(') Z ')
  } catch {
    return false // It has ended.
  }
}
