import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { Cannot, type Contender, type Setting, type Shell } from '../contenders/contender.ts'
import { sampleTimes } from '../measure.ts'
import { ownFigure, ratioFigure } from '../results.ts'
import { expectAnswer, type Samples, type Scenario } from '../scenario.ts'

const newProcess = 'new process'
const newThread = 'new worker or cell'
const living = 'host in use'
const warm = 'warm place'

/** Time from opening to the first answer. */
export const open: Scenario = {
  name: 'open',
  title: 'Open to first answer',
  does: 'Opens a shell and runs `echo a`: in a Node process started for it, on a worker or cell started for it, on a host (or in a process) that has served others, and on a place kept warm.',
  unit: 'ms',
  cases: [newProcess, newThread, living, warm],
  rounds: 3,
  measure: async function* (contender, effort) {
    const kinds: readonly (readonly [string, Setting])[] = [
      [newThread, { startEach: true, capacity: 1 }],
      [living, { capacity: 4 }],
      [warm, { warm: 2, capacity: 4 }],
    ]
    while (true) {
      const samples: Record<string, Samples[string]> = {
        [newProcess]: await sampleTimes(() => firstAnswer(contender), {
          time: 500 * effort,
          least: 3,
          warmup: 1,
        }),
      }
      for (const [name, setting] of kinds) samples[name] = await sampleOpening(contender, setting, effort)
      yield samples
    }
  },
  targets: (results) => [
    ratioFigure(results, {
      name: 'open, new worker / bare Worker + native build',
      of: [newThread, 'ours-worker'],
      to: [newThread, 'raw'],
      target: { most: 1.5 },
    }),
    ownFigure(results, 'open, recycled worker', [living, 'ours-worker'], { most: 5 }),
  ],
}

/** Samples of opening a shell after a warm-up, or why the contender cannot. */
async function sampleOpening(
  contender: Contender,
  setting: Setting,
  effort: number,
): Promise<Samples[string]> {
  try {
    const source = await contender.start(setting)
    let shell: Shell | undefined
    const openOne = async () => {
      shell = await source.open()
      await expectAnswer(shell, 'echo a', 'a\n')
    }
    const hooks = { beforeEach: () => source.ready?.(), afterEach: () => shell?.close() }
    const samples = await sampleTimes(openOne, { time: 300 * effort, least: 4, warmup: 1, hooks })
    await source.close()
    return samples
  } catch (error) {
    if (error instanceof Cannot) return error.message
    throw error
  }
}

/** Starts a Node process and waits for the first answer of its first shell. */
async function firstAnswer({ name }: Contender): Promise<void> {
  const file = fileURLToPath(new URL('./first-answer-child.js', import.meta.url))
  const child = spawn(process.execPath, [file, name], { stdio: ['ignore', 'pipe', 'pipe'] })
  let errors = ''
  child.stderr.on('data', (chunk) => {
    errors += chunk
  })
  const answer = await Promise.race([once(child.stdout, 'data'), once(child, 'close')])
  if (String(answer[0]) !== 'a\n') throw new Error(`a new process answered ${String(answer[0])}: ${errors}`)
}
