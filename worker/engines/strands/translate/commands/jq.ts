import { JQ_PATH } from '../programs/jq-paths.ts'
import { isOneWord } from '../words.ts'
import { type CommandRule, type Named, standsAlone } from './command.ts'

/**
 * `jq` of the engine sorts the keys of objects, prints `5.0`, and lacks options: a program of ours runs. What it prints of a short text
 * is right, and takes half of the time.
 */
export const jq: CommandRule = (command, { script, program, programFile }, place) => {
  const { nameWord, literals } = command
  if (literals.includes('--help') || literals.includes('--version')) return
  const name = isOfPath(literals) ? 'jq-path' : 'jq'
  script.replace(
    nameWord,
    standsAlone(command, place) && isTextOfFile(command)
      ? `__ssr_json_text ${programFile(name)}`
      : program(name),
  )
}

/** Whether it is `jq -r PATH FILE`. */
function isTextOfFile({ words, literals }: Named): boolean {
  const [option, filter = ''] = literals
  return words.length === 3 && words.every(isOneWord) && option === '-r' && JQ_PATH.test(filter)
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
