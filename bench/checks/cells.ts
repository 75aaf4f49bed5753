import type { Check } from '../figure.ts'
import { childOf, type Measured } from './child.ts'

const run = childOf('cells-child.ts')

function measure(name: string, count: number): Promise<Measured> {
  return run(name, String(Math.ceil(count)))
}

/** What another process between the host and its sandboxes costs. */
export const cells: Check = {
  name: 'cells',
  does: 'What another process between the host and its sandboxes costs a call and an open.',
  run: async (effort) => {
    const { worker: callWorker = Number.NaN, cell: callCell = Number.NaN } = await measure(
      'call',
      500 * effort,
    )
    const { worker = Number.NaN, cell = Number.NaN } = await measure('inFlight', 15 * effort)
    const { live = Number.NaN, fresh = Number.NaN } = await measure('open', 40 * effort)
    const { each = Number.NaN } = await measure('many', 500 * effort)
    return [
      {
        name: 'one call in a cell / in a worker',
        ours: callCell,
        baseline: callWorker,
        unit: 'ms',
        judged: callCell / callWorker,
        target: { most: 3 },
      },
      {
        name: 'throughput of 64 in flight, cell / worker',
        ours: cell / 500,
        baseline: worker / 500,
        unit: 'ms',
        judged: worker / cell,
        target: { least: 0.6 },
      },
      { name: 'open, cell that lives', ours: live, unit: 'ms', judged: live, target: { most: 5 } },
      { name: 'open, new cell', ours: fresh, unit: 'ms', judged: fresh, target: { most: 400 } },
      {
        name: '500 sandboxes in cells, RSS of each',
        ours: each,
        unit: 'MiB',
        judged: each,
        target: { most: 1 },
      },
    ]
  },
}
