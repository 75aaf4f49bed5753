import { setTimeout as sleep } from 'node:timers/promises'
import type { Shell } from '../contenders/contender.ts'
import { residentMemory } from '../resident.ts'
import { ownFigure } from '../results.ts'
import { expectAnswer, type Samples, type Scenario } from '../scenario.ts'

const few = 100
const many = 1000
const [ofFew, ofMany] = [`each of ${few}`, `each of ${many}`]
/** Shells that are opened before the measurement, so that the host itself is not counted. */
const first = 5

/** Memory of idle shells. */
export const memory: Scenario = {
  name: 'memory',
  title: 'Memory',
  does: 'Resident memory of a live shell that has run `echo a`, among 100 and among 1000, beyond the first five; cells, in which workers are shared here, are counted in.',
  unit: 'MiB',
  cases: [ofFew, ofMany],
  cannot: {
    echo: 'is no shell',
    bash: 'keeps nothing alive between commands',
    'ours-jail-shared':
      '`npm run bench -- --only jail-sandbox` measures it: a thousand jails are thousands of processes',
  },
  rounds: 2,
  alone: true,
  measure: async function* (contender, effort) {
    const counts = [few, many].map((count) => Math.max(10, Math.ceil(count * effort)))
    const shells: Shell[] = []
    const source = await contender.start({ capacity: first + Math.max(...counts) })
    const openMore = async (total: number) => {
      const opened = await Promise.all(Array.from({ length: total - shells.length }, () => source.open()))
      for (const shell of opened) await expectAnswer(shell, 'echo a', 'a\n')
      shells.push(...opened)
      await sleep(500)
      return residentMemory()
    }
    const before = await openMore(first)
    const each = async (count: number) => ((await openMore(first + count)) - before) / count
    const [fewCount = few, manyCount = many] = counts
    const samples: Record<string, Samples[string]> = { [ofFew]: [await each(fewCount)] }
    samples[ofMany] = contender.name.endsWith('-worker')
      ? 'left out: a thousand workers are over 8 GiB'
      : [await each(manyCount)]
    yield samples
  },
  targets: (results) => [
    ownFigure(results, 'RSS of an idle sandbox', [ofFew, 'ours-worker'], { most: 8.5 }, 'MiB'),
    ownFigure(results, 'shared: RSS of a live sandbox', [ofMany, 'ours-shared'], { most: 0.5 }, 'MiB'),
    ownFigure(
      results,
      'process: RSS of a live sandbox in cells',
      [ofMany, 'ours-process'],
      { most: 1 },
      'MiB',
    ),
  ],
}
