import { Bench, type FnOptions } from 'tinybench'

/** The median time of `iterations` calls of `work` after a warm-up, in milliseconds. */
export async function measure(
  work: () => Promise<unknown>,
  { iterations, warmup = 0 }: { iterations: number; warmup?: number },
): Promise<number> {
  const bench = new Bench({ time: 0, iterations, ...warmUp(0, warmup), throws: true })
  const { p50 } = await latencyOf(bench, work)
  return p50
}

/** How long and how often samples are taken. */
export interface Sampling {
  /** Least milliseconds to measure for. */
  readonly time: number
  /** Least number of calls. Default: 5. */
  readonly least?: number
  /** Least number of calls before the first that counts. Default: 2. */
  readonly warmup?: number
  /** How many things one call does; its time is divided by them. Default: 1. */
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

function warmUp(time: number, iterations: number) {
  return { warmup: iterations > 0, warmupTime: time, warmupIterations: iterations }
}

async function latencyOf(bench: Bench, work: () => Promise<unknown>, hooks: FnOptions = {}) {
  bench.add('work', work, hooks)
  const [task] = await bench.run()
  if (task?.result.state !== 'completed') throw new Error(`The measurement ended ${task?.result.state}.`)
  return task.result.latency
}
