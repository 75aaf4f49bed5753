import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'

/** Milliseconds that `work` takes. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

/** Event-loop delay during `work`, in milliseconds. */
export async function delayWhile(
  work: () => Promise<unknown>,
): Promise<Record<'spent' | 'p99' | 'max', number>> {
  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  await sleep(20)
  const spent = await timed(work)
  await sleep(20)
  delay.disable()
  return { spent, p99: delay.percentile(99) / 1e6 - 5, max: delay.max / 1e6 - 5 }
}
