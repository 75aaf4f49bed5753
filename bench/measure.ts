import { Bench, type FnOptions } from 'tinybench'

/** Milliseconds that one call of `work` takes, in the median of `iterations`, after a warm-up. */
export async function measure(
  work: () => Promise<unknown>,
  { iterations, warmup = 0, ...hooks }: { iterations: number; warmup?: number } & FnOptions,
): Promise<number> {
  const bench = new Bench({
    time: 0,
    iterations,
    warmup: warmup > 0,
    warmupTime: 0,
    warmupIterations: warmup,
    throws: true,
  })
  bench.add('work', work, hooks)
  const [task] = await bench.run()
  if (task?.result.state !== 'completed') throw new Error(`The measurement ended ${task?.result.state}.`)
  return task.result.latency.p50
}
