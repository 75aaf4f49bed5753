import { setTimeout as sleep } from 'node:timers/promises'
import type { ClusterClient } from '../../src/cluster/index.ts'
import { demand, demandSame } from '../violation.ts'

const spread = { concurrency: 64, ordered: false }

/**
 * Runs jobs, spread over some seconds, and looks at their results: each has one, which it still has when it is asked for again.
 *
 * @param stop - fires where the chaos has failed.
 * @throws {Violation} where one has none, or another than its own
 */
export async function runBatch(
  client: ClusterClient,
  { count, seconds, stop }: { readonly count: number; readonly seconds: number; readonly stop: AbortSignal },
): Promise<number> {
  const pause = (seconds * 1000) / Math.max(1, count)
  const start = performance.now()
  async function* jobs() {
    for (let at = 0; at < count && !stop.aborted; at += 1) {
      const early = start + at * pause - performance.now()
      if (early > 0) await sleep(early)
      yield jobOf(at)
    }
  }
  const results = new Map<number, string>()
  for await (const end of client.map(jobs(), spread)) {
    const { index } = end
    demand(!results.has(index), () => `The job ${index} has two results.`)
    if (end.status === 'rejected')
      demand(false, () => `The job ${index} has rejected with ${String(end.reason)}.`)
    else results.set(index, end.value.stdout)
    const [own] = (results.get(index) ?? '').split(' ')
    demandSame(own, String(index), `The result of the job ${index}`)
  }
  demandSame(results.size, count, 'The number of results')
  const again = Array.from({ length: count }, (_, at) => jobOf(at))
  for await (const end of client.map(again, spread)) {
    const stdout = end.status === 'fulfilled' ? end.value.stdout : String(end.reason)
    demandSame(stdout, results.get(end.index), `The result of the job ${end.index}, asked for again,`)
  }
  return results.size
}

/** Each attempt of a job prints another number behind its own. */
function jobOf(at: number) {
  return { id: `job-${at}`, command: `echo ${at} $RANDOM$RANDOM`, attempts: 20, resultTime: 7200 }
}
