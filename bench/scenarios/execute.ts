import { StrandsShellSandbox } from '../../src/index.ts'
import { measure } from '../measure.ts'
import { RawShell } from '../raw-shell.ts'
import { median, type Scenario } from '../scenario.ts'

/** One `true` through an open sandbox, against the native call awaited on its own thread. */
export const execute: Scenario = {
  name: 'execute',
  run: async (effort) => {
    await using raw = await RawShell.open()
    await using sandbox = await StrandsShellSandbox.open()
    const size = { iterations: Math.ceil(2000 * effort), warmup: 300 }
    const ours: number[] = []
    const baseline: number[] = []
    for (let round = 0; round < 5; round++) {
      baseline.push((await raw.measure('run', size)).p50)
      ours.push(await measure(() => sandbox.execute('true'), size))
    }
    const ratio = median(ours.map((value, round) => value / (baseline[round] ?? Number.NaN)))
    return [
      {
        name: "execute('true') / native call",
        ours: median(ours),
        baseline: median(baseline),
        unit: 'ms',
        judged: ratio,
        target: { most: 3.2 },
      },
    ]
  },
}
