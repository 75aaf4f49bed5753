// Runs one comparison on one build, in a process of its own: `URL of the build, name of the comparison`.
import type { Comparison } from './compare/comparison.ts'
import { comparisons } from './compare/comparisons.ts'
import type { Samples } from './scenario.ts'
import { serveRounds } from './serve-rounds.ts'
import { timed } from './timed.ts'

/** Milliseconds of the first round, which warms up, and of each further one. */
const [warmUp, slice] = [1000, 50]

const [url = '', name = ''] = process.argv.slice(2)
const comparison = comparisons.find((one) => one.name === name)
if (comparison === undefined) throw new Error(`There is no comparison ${name}.`)
serveRounds(slices(comparison))

async function* slices({ start }: Comparison): AsyncGenerator<Samples, void, undefined> {
  const work = await start({ url, load: () => import(url) })
  const sampleFor = async (time: number) => {
    const samples: number[] = []
    const began = performance.now()
    do samples.push((await timed(work.run)) / work.things)
    while (performance.now() - began < time)
    return { [name]: samples }
  }
  try {
    yield await sampleFor(warmUp)
    while (true) yield await sampleFor(slice)
  } finally {
    await work.close()
  }
}
