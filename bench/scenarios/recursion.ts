import { sampleTimes } from '../measure.ts'
import { expectAnswer, type Scenario } from '../scenario.ts'

const alive = 'the next command'

/** A command that recurses without end. */
export const recursion: Scenario = {
  name: 'recursion',
  title: 'After an endless recursion',
  does: 'Runs `f(){ f; }; f`, then `echo a` in the same shell; the time is that of both.',
  unit: 'ms',
  cases: [alive],
  cannot: { echo: 'is no shell', bash: 'left out: recurses until the limits of the host stop it' },
  rounds: 2,
  measure: async function* (contender, effort) {
    const source = await contender.start({ capacity: 1 })
    const shell = await source.open()
    const work = async () => {
      const { exitCode } = await shell.execute('f(){ f; }; f')
      if (exitCode === 0) throw new Error('the recursion ended with exit code 0')
      await expectAnswer(shell, 'echo a', 'a\n')
    }
    try {
      while (true) yield { [alive]: await sampleTimes(work, { time: 100 * effort, least: 3, warmup: 1 }) }
    } finally {
      await shell.close()
      await source.close()
    }
  },
}
