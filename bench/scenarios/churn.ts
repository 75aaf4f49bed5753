import { sampleTimes } from '../measure.ts'
import { ownFigure } from '../results.ts'
import { openAnswerClose, type Scenario } from '../scenario.ts'

const atOnce = 4
const each = 5
const all = 'a shell'

/** Opens and closes many shells. */
export const churn: Scenario = {
  name: 'churn',
  title: 'Churn',
  does: 'Opens a shell, runs `echo a` and closes it, over and over, four at a time; the time is that of one shell.',
  unit: 'ms',
  cases: [all],
  rounds: 4,
  measure: async function* (contender, effort) {
    const source = await contender.start({ capacity: 8 })
    const line = async () => {
      for (let made = 0; made < each; made++) await openAnswerClose(source)
    }
    const lines = () => Promise.all(Array.from({ length: atOnce }, line))
    const sampling = { time: 500 * effort, least: 2, warmup: 1, things: atOnce * each }
    try {
      while (true) yield { [all]: await sampleTimes(lines, sampling) }
    } finally {
      await source.close()
    }
  },
  targets: (results) => [
    ownFigure(results, 'shared: churn, one sandbox of it', [all, 'ours-shared'], { most: 1000 / 150 }),
  ],
}
