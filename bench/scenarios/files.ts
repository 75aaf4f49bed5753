import { StrandsShellSandbox } from '../../src/index.ts'
import { measure } from '../measure.ts'
import { RawShell } from '../raw-shell.ts'
import { type Figure, median, type Scenario } from '../scenario.ts'

const content = new Uint8Array(8 * 1024 * 1024).fill(65)

/** An 8 MiB file written and read back, against the native calls. */
export const files: Scenario = {
  name: 'files',
  run: async (effort) => {
    await using raw = await RawShell.open()
    await using sandbox = await StrandsShellSandbox.open()
    const write = () => sandbox.writeFile('/tmp/big', content)
    const read = () => sandbox.readFile('/tmp/big')
    return [
      await compare('writeFile 8 MiB / native', raw, 'writeFile', write, Math.ceil(20 * effort), 1.3),
      await compare('readFile 8 MiB / native', raw, 'readFile', read, Math.ceil(5 * effort), 1.15),
    ]
  },
}

async function compare(
  name: string,
  raw: RawShell,
  work: 'writeFile' | 'readFile',
  ours: () => Promise<unknown>,
  iterations: number,
  most: number,
): Promise<Figure> {
  const oursMs: number[] = []
  const baselineMs: number[] = []
  for (let round = 0; round < 7; round++) {
    baselineMs.push((await raw.measure(work, { iterations, warmup: 1 })).p50)
    oursMs.push(await measure(ours, { iterations, warmup: 1 }))
  }
  const [oursMedian, baseline] = [median(oursMs), median(baselineMs)]
  return { name, ours: oursMedian, baseline, unit: 'ms', judged: oursMedian / baseline, target: { most } }
}
