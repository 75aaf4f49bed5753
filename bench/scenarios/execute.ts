import { sampleTimes } from '../measure.ts'
import { ratioFigure } from '../results.ts'
import { expectAnswer, type Scenario, withShell } from '../scenario.ts'

/** One `true` through an open shell. */
export const execute: Scenario = {
  name: 'execute',
  title: 'One command',
  does: 'Runs `true` in an open shell, one call after another.',
  unit: 'ms',
  cases: ['true'],
  rounds: 5,
  measure: (contender, effort) =>
    withShell(contender, async function* (shell) {
      while (true)
        yield { true: await sampleTimes(() => expectAnswer(shell, 'true', ''), { time: 400 * effort }) }
    }),
  targets: (results) => [
    ratioFigure(results, {
      name: "execute('true') / native call",
      of: ['true', 'ours-worker'],
      to: ['true', 'raw'],
      target: { most: 2.5 },
    }),
  ],
}
