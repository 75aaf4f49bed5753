import type { SandboxSummary } from '../../hosted-sandbox/summary.ts'
import { clipEnd } from '../output/clip.ts'

/** Commands that are described; further ones are named. */
const MOST_DESCRIBED = 20
/** Commands that are named. */
const MOST_NAMED = 100
/** Characters of one description. */
const MOST_CHARACTERS = 200

/** What a model is told of the functions of the caller that are commands; empty where there are none. */
export function describeHostCommands(commands: SandboxSummary['commands']): string {
  if (commands.length === 0) return ''
  const described = commands.slice(0, MOST_DESCRIBED).map(({ name, description }) => {
    const text = clipEnd(description.replaceAll(/\s+/g, ' ').trim(), MOST_CHARACTERS)
    return text === '' ? name : `${name} (${text})`
  })
  const named = commands.slice(MOST_DESCRIBED, MOST_NAMED).map(({ name }) => name)
  const more = commands.length > MOST_NAMED ? [`${commands.length - MOST_NAMED} more`] : []
  return `Made for this sandbox, as commands to use in pipes: ${[...described, ...named, ...more].join('; ')}. NAME --help tells more.`
}
