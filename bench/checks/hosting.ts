import type { Check, Figure } from '../figure.ts'
import { childOf, type Measured } from './child.ts'

const run = childOf('hosting-child.ts')

function measure(name: string, count: number): Promise<Measured> {
  return run(name, String(count))
}

/** Many sandboxes in one process. */
export const hosting: Check = {
  name: 'hosting',
  does: 'Many sandboxes in one process: how fast they open, come and go, and what stays of them.',
  run: async (effort) => {
    const scaled = (count: number) => Math.max(20, Math.ceil(count * effort))
    const shared = await measure('shared', scaled(1000))
    const churn = await measure('churn', scaled(600))
    const warm = await measure('warm', scaled(100))
    const settle = await measure('settle', scaled(10_000))
    return [
      most('shared: opening 1000 at once, scaled', shared, 'open', 'ms', 3000),
      least('shared: a round of echo / raw native shells', shared, 'round', 0.4),
      least('shared: churn / a cold worker each time', churn, 'ratio', 10),
      most('worker: opening with a warm place', warm, 'worker', 'ms', 2),
      most('shared: opening with a warm place', warm, 'shared', 'ms', 1.5),
      most('RSS after 12 times as many / after the first', settle, 'ratio', 'MiB', 1.15),
    ]
  },
}

function most(name: string, measured: Measured, key: string, unit: Figure['unit'], limit: number): Figure {
  const ours = measured[key] ?? Number.NaN
  return { name, ours, unit, judged: ours, target: { most: limit } }
}

function least(name: string, measured: Measured, key: string, limit: number): Figure {
  const judged = measured[key] ?? Number.NaN
  const ours = measured[`${key}Ours`] ?? judged
  const baseline = measured[`${key}Baseline`] ?? 1
  return { name, ours, baseline, unit: 'ms', judged, target: { least: limit } }
}
