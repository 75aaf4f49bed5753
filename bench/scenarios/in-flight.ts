import { sampleTimes } from '../measure.ts'
import { ratioFigure } from '../results.ts'
import { expectAnswer, type Samples, type Scenario, withShell } from '../scenario.ts'

const width = 64
const oneByOne = 'one by one'
const together = '64 in flight'

/** Throughput of one shell with many calls in flight. */
export const inFlight: Scenario = {
  name: 'in-flight',
  title: '64 calls in flight',
  does: 'Runs `true` 512 times (just-bash and `bash -c`: 64 times) in one shell, one call after another and with 64 calls in flight; the time is that of one command.',
  note: 'The raw engine ends calls of one shell in any order when they are in flight together; ours runs them in the order in which they are made.',
  unit: 'ms',
  cases: [together, oneByOne],
  rounds: 4,
  measure: (contender, effort) =>
    withShell(contender, async function* (shell) {
      const calls = contender.name === 'bash' || contender.name === 'just-bash' ? width : 8 * width
      const sample = (atOnce: number) =>
        sampleTimes(() => allWith(atOnce, calls, () => expectAnswer(shell, 'true', '')), {
          time: 300 * effort,
          least: 2,
          warmup: 1,
          things: calls,
        })
      while (true) {
        const samples: Samples = { [oneByOne]: await sample(1) }
        yield { ...samples, [together]: await sample(width).catch((error: Error) => error.message) }
      }
    }),
  targets: (results) => [
    ratioFigure(results, {
      name: `throughput, ${width} in flight / native one by one`,
      of: [together, 'ours-worker'],
      to: [oneByOne, 'raw'],
      inverse: true,
      target: { least: 1.5 },
    }),
  ],
}

async function allWith(atOnce: number, calls: number, call: () => Promise<unknown>): Promise<void> {
  let left = calls
  const work = async () => {
    while (left-- > 0) await call()
  }
  await Promise.all(Array.from({ length: atOnce }, work))
}
