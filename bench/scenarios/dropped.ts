import { setTimeout as sleep } from 'node:timers/promises'
import type { ShellSource } from '../contenders/contender.ts'
import { residentMemory } from '../resident.ts'
import { expectAnswer, type Scenario } from '../scenario.ts'

const total = 500
const step = 50
const atOnce = 5
const steps = Array.from({ length: total / step + 1 }, (_, index) => index * step)
const content = new Uint8Array(2 ** 19).fill(97)

/** Drops shells without closing them. */
export const dropped: Scenario = {
  name: 'dropped',
  title: 'Dropped without close',
  does: 'Resident memory, beyond that at the start, while 500 shells with a file of 512 KiB each are opened, used and dropped without being closed, five at a time.',
  unit: 'MiB',
  cases: steps.map(String),
  steps: 'shells dropped',
  cannot: { echo: 'is no shell', bash: 'keeps nothing alive between commands' },
  rounds: 1,
  alone: true,
  measure: async function* (contender, effort) {
    const source = await contender.start({ capacity: 256 })
    await useAndDrop(source)
    const start = residentMemory()
    const samples: Record<string, readonly number[]> = { 0: [0] }
    for (const dropped of steps.slice(1)) {
      for (let made = 0; made < step * effort; made += atOnce) {
        await Promise.all(Array.from({ length: atOnce }, () => useAndDrop(source)))
      }
      samples[dropped] = [Math.max(0, residentMemory() - start)]
    }
    yield samples
  },
}

async function useAndDrop(source: ShellSource): Promise<void> {
  const shell = await source.open()
  await shell.writeFile(`${shell.root}/file`, content)
  await expectAnswer(shell, 'echo a', 'a\n')
  // Garbage is collected between turns of the event loop.
  await sleep(0)
}
