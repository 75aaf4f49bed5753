import type { Check, Figure } from '../figure.ts'
import { childOf, type Measured } from './child.ts'

const run = childOf('telemetry-child.ts')

/** A call on a host with telemetry, against one on a host without. */
export const telemetry: Check = {
  name: 'telemetry',
  does: "What execute('true') costs on a host with telemetry beside one without, in turns.",
  run: async (effort) => {
    const measured = await run(String(Math.max(20, Math.ceil(1000 * effort))))
    return [
      figure(measured, 'no SDK', 'OpenTelemetry without an SDK / none', { most: 1.02 }),
      figure(measured, 'spans', 'OpenTelemetry with spans / none', 'shown'),
      figure(measured, 'prometheus', 'Prometheus / none', 'shown'),
    ]
  },
}

function figure(measured: Measured, kind: string, name: string, target: Figure['target']): Figure {
  const { [kind]: ours = Number.NaN, none: baseline = Number.NaN } = measured
  return { name, ours, baseline, unit: 'ms', judged: measured[`${kind} / none`] ?? Number.NaN, target }
}
