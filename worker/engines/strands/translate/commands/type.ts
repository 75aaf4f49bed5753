import { isOutput } from '../outputs.ts'
import { refuse } from '../refusal.ts'
import type { CommandRule } from './command.ts'
import { messagesOf } from './own-messages.ts'

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

/** `type` of the engine takes options for names, and prints its messages as output. */
export const type: CommandRule = ({ node, words, literals }, work) => {
  const { script } = work
  const option = literals.find((literal) => /^-./.test(literal ?? ''))
  if (option !== undefined) refuse(`type ${option}`, 'use command -v NAME')
  if (words.length === 0 || node.redirects.some(isDiscarded)) return
  const to = messagesOf(node, work)
  if (to === undefined) refuse('this redirection of type', 'use command -v NAME')
  script.replace(node, `__ssr_type ${to} ${words.map((word) => script.text(word)).join(' ')}`)
}

/** Whether a redirection throws away what a command prints, and so all that the engine's `type` does. */
function isDiscarded(one: Parameters<typeof isOutput>[0]): boolean {
  return isOutput(one) && one.type === 'Redirect' && one.target?.text === '/dev/null'
}
