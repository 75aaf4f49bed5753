import type { Redirection } from 'unbash'
import { isOfErrors } from '../constructs/function-calls.ts'
import { isInput } from '../input.ts'
import { isOutput } from '../outputs.ts'
import { refuse } from '../refusal.ts'
import { literalOf } from '../words.ts'
import type { CommandRule } from './command.ts'
import { messagesOf } from './own-messages.ts'

/** `command -v` of the engine prints past a redirection, and knows none of the programs of the runtime. */
export const command: CommandRule = ({ node, words, literals, name }, { script }) => {
  const option = name === 'which' ? '-v' : literals[0]
  if (!/^-[vV]$/.test(option ?? '')) return
  const names = name === 'which' ? words : words.slice(1)
  const texts = names.map((word) => script.text(word))
  const [outputs, others] = [node.redirects.filter(isOutput), node.redirects.filter((one) => !isOutput(one))]
  if (outputs.some((one) => !isDiscarded(one)))
    refuse(`${name} ${option} with > FILE`, 'use echo "$(command -v NAME)" > FILE')
  if (!others.every(isSilent) && name === 'which') refuse('this redirection of which', 'use command -v NAME')
  if (names.length === 0 || !others.every(isSilent)) return
  if (outputs.length === 0 && option === '-V') refuse('command -V', 'use command -v NAME')
  const asked = `${name === 'which' ? 'all' : 'any'} ${outputs.length > 0 ? 'q' : 'p'}`
  script.replace(node, `__ssr_named ${asked} ${texts.join(' ')}`)
}

/** `type` of the engine knows other kinds, takes options for names, and prints its messages as output. */
export const type: CommandRule = ({ node, words, literals }, work) => {
  const { script } = work
  const option = literals.find((literal) => /^-./.test(literal ?? ''))
  if (option !== undefined && (option !== '-t' || literals.indexOf(option) > 0))
    refuse(`type ${option}`, 'use command -v NAME')
  if (words.length === 0) return
  const names = words.map((word) => script.text(word))
  if (node.redirects.some(isDiscarded)) {
    script.replace(node, `__ssr_named all q ${names.slice(option === undefined ? 0 : 1).join(' ')}`)
    return
  }
  const to = messagesOf(node, work)
  if (to === undefined) refuse('this redirection of type', 'use command -v NAME')
  script.replace(node, `__ssr_type ${to} ${names.join(' ')}`)
}

/** `hash` of names asks whether they are there. */
export const hash: CommandRule = ({ node, words, literals }, { script }) => {
  if (words.length === 0 || literals.some((literal) => literal?.startsWith('-') === true)) return
  if (!node.redirects.every((one) => isDiscarded(one) || isSilent(one))) return
  script.replace(node, `__ssr_named all q ${words.map((word) => script.text(word)).join(' ')}`)
}

/** Whether a redirection is one of messages, of which there are none, or of an input that is empty. */
function isSilent(one: Redirection): boolean {
  if (isInput(one)) return one.type === 'Redirect' && literalOf(one.target) === '/dev/null'
  return isOfErrors(one) && one.type === 'Redirect' && /^(?:1|\/dev\/null)$/.test(literalOf(one.target) ?? '')
}

/** Whether a redirection throws away what a command prints. */
function isDiscarded(one: Redirection): boolean {
  return isOutput(one) && one.type === 'Redirect' && literalOf(one.target) === '/dev/null'
}
