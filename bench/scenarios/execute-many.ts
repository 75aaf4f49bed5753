import type { Shell } from '../contenders/contender.ts'
import { sampleTimes } from '../measure.ts'
import { ratioFigure } from '../results.ts'
import { expectAnswer, type Scenario, withShell, wrongAnswer } from '../scenario.ts'

const batch = '1000 commands'

/** Batch throughput. */
export const executeMany: Scenario = {
  name: 'execute-many',
  title: 'A batch',
  does: 'Runs `true` 1000 times (`bash -c`: 50 times) as one batch where there is such a call (`executeMany`), else one call after another; the time is that of one command.',
  unit: 'ms',
  cases: [batch],
  rounds: 3,
  measure: (contender, effort) =>
    withShell(contender, async function* (shell) {
      const commands = Array.from({ length: contender.name === 'bash' ? 50 : 1000 }, () => 'true')
      const sampling = { time: 300 * effort, least: 2, warmup: 1, things: commands.length }
      while (true) yield { [batch]: await sampleTimes(() => runAll(shell, commands), sampling) }
    }),
  targets: (results) => [
    ratioFigure(results, {
      name: 'executeMany of 1000, one command / native call',
      of: [batch, 'ours-worker'],
      to: [batch, 'raw'],
      target: { most: 1.15 },
    }),
  ],
}

async function runAll(shell: Shell, commands: readonly string[]): Promise<void> {
  if (shell.executeMany === undefined) {
    for (const command of commands) await expectAnswer(shell, command, '')
    return
  }
  const answers = await shell.executeMany(commands)
  if (answers.length !== commands.length) throw new Error(`${answers.length} answers to ${commands.length}.`)
  const wrong = answers.find(({ exitCode, stdout }) => exitCode !== 0 || stdout !== '')
  if (wrong !== undefined) throw wrongAnswer('true', wrong.exitCode, wrong.stdout)
}
