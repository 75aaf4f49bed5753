import { JQ_PATH } from '../programs/jq-paths.ts'
import type { CommandRule } from './command.ts'

/** `jq` of the engine sorts the keys of objects, prints `5.0`, and lacks options: a program of ours runs. */
export const jq: CommandRule = ({ nameWord, literals }, { script, program }) => {
  if (literals.includes('--help') || literals.includes('--version')) return
  script.replace(nameWord, program(isOfPath(literals) ? 'jq-path' : 'jq'))
}

/** Options without a value. */
const SWITCH =
  /^-(?:[acejrsS]+|-(?:ascii-output|compact-output|exit-status|join-output|raw-output|slurp|sort-keys|tab))$/

/** Whether the filter is a plain path that is written out. */
function isOfPath(literals: readonly (string | undefined)[]): boolean {
  const at = literals.findIndex((literal) => literal === undefined || !SWITCH.test(literal))
  return (
    JQ_PATH.test(literals[at] ?? '') &&
    literals.slice(at + 1).every((literal = '') => !literal.startsWith('-') || SWITCH.test(literal))
  )
}
