import { StrandsShellSandbox } from '../../src/index.ts'
import type { Check, Figure } from '../figure.ts'
import { measure } from '../measure.ts'
import { median } from '../statistics.ts'

const mebibyte = new Uint8Array(1024 * 1024)

/** Synchronous calls of an open sandbox, against the same calls awaited. */
export const sync: Check = {
  name: 'sync',
  does: 'Synchronous calls of an open sandbox, against the same calls awaited.',
  run: async (effort) => {
    await using sandbox = await StrandsShellSandbox.open()
    await sandbox.writeFile('/tmp/file', mebibyte)
    const calls: readonly (readonly [
      name: string,
      awaited: () => Promise<unknown>,
      blocking: () => unknown,
    ])[] = [
      ["execute('true')", () => sandbox.execute('true'), () => sandbox.sync.execute('true')],
      ['readFile 1 MiB', () => sandbox.readFile('/tmp/file'), () => sandbox.sync.readFile('/tmp/file')],
      [
        'writeFile 1 MiB',
        () => sandbox.writeFile('/tmp/file', mebibyte),
        () => sandbox.sync.writeFile('/tmp/file', mebibyte),
      ],
    ]
    const size = { iterations: Math.ceil(400 * effort), warmup: 100 }
    const figures: Figure[] = []
    for (const [name, awaited, blocking] of calls) {
      const ours: number[] = []
      const baseline: number[] = []
      for (let round = 0; round < 5; round++) {
        baseline.push(await measure(awaited, size))
        ours.push(await measure(async () => blocking(), size))
      }
      const ratio = median(ours.map((value, round) => value / (baseline[round] ?? Number.NaN)))
      figures.push({
        name: `sync ${name} / awaited`,
        ours: median(ours),
        baseline: median(baseline),
        unit: 'ms',
        judged: ratio,
        target: { most: 1.5 },
      })
    }
    return figures
  },
}
