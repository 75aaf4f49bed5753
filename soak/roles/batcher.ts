import { type Plan, type Repertoire, type Role, roleOf } from '../act.ts'
import type { House } from '../house.ts'
import { demand, demandSame } from '../violation.ts'
import type { World } from '../world.ts'
import { PasserBy } from './passer-by.ts'

/** Runs one command in a sandbox of its own. */
const run: Plan<PasserBy> = () => ({
  text: 'run',
  play: async (actor) => {
    const mark = actor.mark()
    const options = { files: { in: mark }, collect: ['out'] }
    const { stdout, outputFiles } = await actor.world.calls.track('run', () => {
      return actor.house.lasting.run('tr a-z A-Z < in > out; cat in', options)
    })
    const collected = outputFiles.map(({ content }) => Buffer.from(content).toString())
    demandSame([stdout, collected], [mark, [mark.toUpperCase()]], 'the result of a run')
  },
})

/** Runs many, and takes all of their results or stops before. */
const map: Plan<PasserBy> = (random) => {
  const size = 2 + random.below(6)
  const [taken, concurrency] = [1 + random.below(size), 1 + random.below(3)]
  return {
    text: `map ${size} runs, ${concurrency} at a time, ${taken} taken`,
    play: async (actor) => {
      const marks = Array.from({ length: size }, () => actor.mark())
      const requests = marks.map((mark) => ({ command: `echo '${mark}'` }))
      const seen = new Set<string>()
      await actor.world.calls.track('map', async () => {
        for await (const end of actor.house.lasting.map(requests, { concurrency })) {
          if (end.status === 'rejected') throw end.reason
          seen.add(end.value.stdout)
          if (seen.size === taken) break
        }
      })
      const foreign = [...seen].filter((text) => !marks.some((mark) => text === `${mark}\n`))
      demand(foreign.length === 0, () => `runs gave what they did not print: ${foreign.join()}`)
      demandSame(seen.size, taken, 'the number of results')
    },
  }
}

const repertoire: Repertoire<PasserBy> = [
  [2, run],
  [1, map],
]

/** Has commands run, each in a sandbox of its own. */
export function batcher(name: string, world: World, house: House): Role {
  return roleOf(repertoire, new PasserBy(name, world, house), () => Promise.resolve())
}
