import { StrandsShellSandbox } from '../../src/index.ts'
import { RawShell } from '../raw-shell.ts'
import { median, type Scenario } from '../scenario.ts'

const width = 64

/** Throughput with 64 calls in flight, against native calls awaited one after another. */
export const inFlight: Scenario = {
  name: 'in-flight',
  run: async (effort) => {
    await using raw = await RawShell.open()
    await using sandbox = await StrandsShellSandbox.open()
    const calls = Math.ceil(6000 * effort)
    const ours: number[] = []
    const baseline: number[] = []
    for (let round = 0; round < 5; round++) {
      baseline.push((await raw.measure('run', { iterations: calls, warmup: 300 })).mean)
      ours.push(await meanOf(calls, () => sandbox.execute('true')))
    }
    return [
      {
        name: `throughput, ${width} in flight / native one by one`,
        ours: median(ours),
        baseline: median(baseline),
        unit: 'ms',
        judged: median(baseline.map((value, round) => value / (ours[round] ?? Number.NaN))),
        target: { least: 0.6 },
      },
    ]
  },
}

async function meanOf(calls: number, call: () => Promise<unknown>): Promise<number> {
  let left = calls
  const start = performance.now()
  await Promise.all(
    Array.from({ length: width }, async () => {
      while (left-- > 0) await call()
    }),
  )
  return (performance.now() - start) / calls
}
