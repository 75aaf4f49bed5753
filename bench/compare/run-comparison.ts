import { Stage } from '../stage.ts'
import { quantile } from '../statistics.ts'

/** The two builds that are compared: the `file:` URL of `dist/src/index.js` of each. */
export interface BuildUrls {
  readonly before: string
  readonly now: string
}

/** Milliseconds of both builds in each round. */
export interface ComparedTimes {
  readonly before: readonly number[]
  readonly now: readonly number[]
}

type Side = keyof BuildUrls

/** The order of the turns in a round; every other round has them the other way round. */
const turns: readonly Side[] = ['before', 'now', 'now', 'before', 'before', 'now', 'now', 'before']

/**
 * Measures both builds in turns. In each round both have a new process, and the round's time of a build is the lower
 * quartile of its samples: other work on the machine only ever adds time.
 *
 * @param children the directory of the bundled children
 * @throws {Error} where a build fails at the work
 */
export async function runComparison(
  name: string,
  builds: BuildUrls,
  { children, rounds }: { readonly children: string; readonly rounds: number },
): Promise<ComparedTimes> {
  const times = { before: [] as number[], now: [] as number[] }
  for (let round = 0; round < rounds; round++) {
    const stageOf = (url: string) =>
      new Stage({ file: `${children}/compare-child.js`, args: [url, name], stderr: 'inherit' })
    const stages = { before: stageOf(builds.before), now: stageOf(builds.now) }
    const samples = { before: [] as number[], now: [] as number[] }
    const measure = async (side: Side) => samplesOf(name, side, stages[side])
    try {
      // Warms up; not counted.
      await Promise.all([measure('before'), measure('now')])
      for (const turn of turns) {
        const side = round % 2 === 0 ? turn : other(turn)
        samples[side].push(...(await measure(side)))
      }
    } finally {
      await Promise.all([stages.before.end(), stages.now.end()])
    }
    times.before.push(lowerQuartile(samples.before))
    times.now.push(lowerQuartile(samples.now))
  }
  return times
}

async function samplesOf(name: string, side: Side, stage: Stage): Promise<readonly number[]> {
  const reply = await stage.round()
  const samples = 'samples' in reply ? reply.samples[name] : undefined
  if (typeof samples === 'object') return samples
  throw new Error(`The build ${side} failed at ${name}: ${JSON.stringify(reply)}`)
}

function lowerQuartile(samples: readonly number[]): number {
  return quantile(samples, 0.25)
}

function other(side: Side): Side {
  return side === 'before' ? 'now' : 'before'
}
