import type { Shell } from '../contenders/contender.ts'
import { expectAnswer, type Scenario } from '../scenario.ts'

const counts = [1, 2, 4, 8]
const command = 'i=0; while [ $i -lt 300 ]; do i=$((i + 1)); done; echo $i'

/** Throughput of several shells at once, each in its own cell under `process`. */
export const scaling: Scenario = {
  name: 'scaling',
  title: 'From 1 to 8 shells',
  does: 'Commands a second of 1 to 8 shells that count to 300 at once, each in a cell of its own under `process`.',
  note: 'No contender gains past the cores of the machine.',
  unit: 'commands/s',
  cases: counts.map(String),
  steps: 'shells',
  cannot: { echo: 'is no shell' },
  rounds: 2,
  measure: async function* (contender, effort) {
    const source = await contender.start({ capacity: 8, cells: 8 })
    const shells: Shell[] = []
    try {
      while (true) {
        const samples: Record<string, readonly number[]> = {}
        for (const count of counts) {
          while (shells.length < count) shells.push(await source.open())
          samples[count] = [await rate(shells.slice(0, count), 400 * effort)]
        }
        yield samples
      }
    } finally {
      await Promise.all(shells.map((shell) => shell.close()))
      await source.close()
    }
  },
}

/** Commands a second of shells that work for so many milliseconds. */
async function rate(shells: readonly Shell[], time: number): Promise<number> {
  await Promise.all(shells.map((shell) => expectAnswer(shell, command, '300\n')))
  const start = performance.now()
  let done = 0
  const work = async (shell: Shell) => {
    do {
      await expectAnswer(shell, command, '300\n')
      done += 1
    } while (performance.now() - start < time)
  }
  await Promise.all(shells.map(work))
  return done / ((performance.now() - start) / 1000)
}
