import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Figure, Scenario } from '../scenario.ts'

const run = promisify(execFile)
const child = fileURLToPath(new URL('../hosting-child.ts', import.meta.url))

/** What a measurement in a process of its own prints. */
type Measured = Readonly<Record<string, number>>

async function measure(name: string, count: number): Promise<Measured> {
  const { stdout } = await run(process.execPath, ['--import', 'tsx', child, name, String(count)])
  return JSON.parse(stdout) as Measured
}

/** Many sandboxes in one process: what they weigh, how fast they come and go, how late the event loop is. */
export const hosting: Scenario = {
  name: 'hosting',
  run: async (effort) => {
    const scaled = (count: number) => Math.max(20, Math.ceil(count * effort))
    const shared = await measure('shared', scaled(1000))
    const worker = await measure('worker', scaled(100))
    const churn = await measure('churn', scaled(600))
    const warm = await measure('warm', scaled(100))
    const load = await measure('load', 32)
    const peer = await measure('loadOfPeer', 32)
    const settle = await measure('settle', scaled(10_000))
    return [
      most('shared: RSS of a live sandbox', shared, 'rss', 'MiB', 0.5),
      most('shared: opening 1000 at once, scaled', shared, 'open', 'ms', 3000),
      least('shared: a round of echo / raw native shells', shared, 'round', 0.4),
      most('worker: RSS of a live sandbox', worker, 'rss', 'MiB', 9),
      most('shared: churn, one sandbox of it', churn, 'shared', 'ms', 1000 / 150),
      least('shared: churn / a cold worker each time', churn, 'ratio', 10),
      most('worker: opening with a warm place', warm, 'worker', 'ms', 3),
      most('shared: opening with a warm place', warm, 'shared', 'ms', 1.5),
      most('32 compute: event-loop delay, p99', load, 'p99', 'ms', 10),
      most('32 compute: event-loop delay, maximum', load, 'max', 'ms', 100),
      shown('32 compute in just-bash: event-loop delay, maximum', peer, 'max'),
      most('RSS after 12 times as many / after the first', settle, 'ratio', 'MiB', 1.15),
    ]
  },
}

function most(name: string, measured: Measured, key: string, unit: Figure['unit'], limit: number): Figure {
  const ours = measured[key] ?? Number.NaN
  return { name, ours, unit, judged: ours, target: { most: limit } }
}

function shown(name: string, measured: Measured, key: string): Figure {
  const ours = measured[key] ?? Number.NaN
  return { name, ours, unit: 'ms', judged: ours, target: 'shown' }
}

function least(name: string, measured: Measured, key: string, limit: number): Figure {
  const judged = measured[key] ?? Number.NaN
  const ours = measured[`${key}Ours`] ?? judged
  const baseline = measured[`${key}Baseline`] ?? 1
  return { name, ours, baseline, unit: 'ms', judged, target: { least: limit } }
}
