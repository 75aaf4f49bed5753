import { isOutput } from '../outputs.ts'
import { refuse } from '../refusal.ts'
import type { CommandRule } from './command.ts'

/** `command -v` of the engine prints past a redirection; `type` has its status. */
export const command: CommandRule = ({ node, nameWord, words, literals, name }, { script }) => {
  const option = name === 'which' ? '-v' : literals[0]
  const outputs = node.redirects.filter(isOutput)
  if (outputs.length === 0 || !/^-[vV]$/.test(option ?? '')) return
  if (outputs.some((one) => one.type !== 'Redirect' || one.target?.text !== '/dev/null'))
    refuse(`${name} ${option} with > FILE`, 'use echo "$(command -v NAME)" > FILE')
  script.replace(nameWord, 'type')
  if (name !== 'which' && words[0] !== undefined) script.replace(words[0], '')
}

/** `type` of the engine takes options for names. */
export const type: CommandRule = ({ literals }) => {
  const option = literals.find((literal) => /^-./.test(literal ?? ''))
  if (option !== undefined) refuse(`type ${option}`, 'use command -v NAME')
}
