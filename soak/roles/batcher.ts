import { type Plan, type Role, roleOf, type WeightedPlans } from '../action.ts'
import type { SoakContext } from '../context.ts'
import type { Level } from '../level.ts'
import { demand, demandSame } from '../violation.ts'
import { PasserBy } from './passer-by.ts'

/** Runs one command with `host.run()`. */
const run: Plan<PasserBy> = () => ({
  text: 'run',
  perform: async (actor) => {
    const mark = actor.mark()
    const options = { files: { in: mark }, collect: ['out'] }
    const { stdout, outputFiles } = await actor.context.calls.track('run', () => {
      return actor.level.lasting.run('tr a-z A-Z < in > out; cat in', options)
    })
    const collected = outputFiles.map(({ content }) => Buffer.from(content).toString())
    demandSame([stdout, collected], [mark, [mark.toUpperCase()]], 'the result of a run')
  },
})

/** Runs many commands with `host.map()`, and takes all results or stops early. */
const map: Plan<PasserBy> = (random) => {
  const size = 2 + random.below(6)
  const [taken, concurrency] = [1 + random.below(size), 1 + random.below(3)]
  return {
    text: `map ${size} runs, ${concurrency} at a time, ${taken} taken`,
    perform: async (actor) => {
      const marks = Array.from({ length: size }, () => actor.mark())
      const requests = marks.map((mark) => ({ command: `echo '${mark}'` }))
      const seen = new Set<string>()
      await actor.context.calls.track('map', async () => {
        for await (const end of actor.level.lasting.map(requests, { concurrency })) {
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

const plans: WeightedPlans<PasserBy> = [
  [2, run],
  [1, map],
]

/** Runs commands, each in a sandbox of its own. */
export function batcher(name: string, context: SoakContext, level: Level): Role {
  return roleOf(plans, new PasserBy(name, context, level), () => Promise.resolve())
}
