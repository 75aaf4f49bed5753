import { Bench, type FnOptions } from 'tinybench'

/** Milliseconds that one call of `work` takes, in the median of `iterations`, after a warm-up. */
export async function measure(
  work: () => Promise<unknown>,
  { iterations, warmup = 0 }: { iterations: number; warmup?: number },
): Promise<number> {
  const bench = new Bench({ time: 0, iterations, ...warmUp(0, warmup), throws: true })
  const { p50 } = await latencyOf(bench, work)
  return p50
}

/** How long and how often a sample is taken. */
export interface Sampling {
  /** Milliseconds to go on for, at the least. */
  readonly time: number
  /** Calls at the least. Default: 5. */
  readonly least?: number
  /** Calls before the first that counts, at the least. Default: 2. */
  readonly warmup?: number
  /** How many things one call does: a sample is the time of one of them. Default: 1. */
  readonly things?: number
  /** Run before and after each call, outside its time. */
  readonly hooks?: Pick<FnOptions, 'beforeEach' | 'afterEach'>
}

/** Milliseconds of each call of `work`, after a warm-up of a fifth of the time. */
export async function sampleTimes(
  work: () => Promise<unknown>,
  { time, least = 5, warmup = 2, things = 1, hooks }: Sampling,
): Promise<readonly number[]> {
  const bench = new Bench({
    time,
    iterations: least,
    ...warmUp(time / 5, warmup),
    retainSamples: true,
    throws: true,
  })
  const { samples } = await latencyOf(bench, work, hooks)
  return (samples ?? []).map((sample) => sample / things)
}

/** Milliseconds that `work` takes. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

function warmUp(time: number, iterations: number) {
  return { warmup: iterations > 0, warmupTime: time, warmupIterations: iterations }
}

async function latencyOf(bench: Bench, work: () => Promise<unknown>, hooks: FnOptions = {}) {
  bench.add('work', work, hooks)
  const [task] = await bench.run()
  if (task?.result.state !== 'completed') throw new Error(`The measurement ended ${task?.result.state}.`)
  return task.result.latency
}
