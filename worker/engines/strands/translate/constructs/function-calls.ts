import type { Redirection } from 'unbash'
import { nameOf } from '../facts.ts'
import { isInput } from '../input.ts'
import { isOutput, isToErrors } from '../outputs.ts'
import { refuse } from '../refusal.ts'
import type { Rule } from '../work.ts'
import { intoFile } from './redirected-output.ts'

/** The engine ignores redirections of a call of a function. */
export const functionCalls: Rule<'Command'> = (node, work, place) => {
  const { script, facts } = work
  const name = nameOf(node)
  if (name === undefined || !facts.functions.has(name) || node.redirects.length === 0) return
  const kept = node.redirects.filter((one) => !isDiscarded(one))
  if (kept.some(isOfErrors))
    refuse(`a redirection of standard error of the function ${name}`, 'redirect the commands in it')
  const texts = kept.map((one) => script.text(one))
  for (const one of node.redirects) script.replace(one, '')
  if (texts.length === 0) return
  const text = script.text(node).trimEnd()
  if (kept.some((one) => isOutput(one) || isToErrors(one))) {
    intoFile(node, { text, command: node, redirects: kept, inputs: texts, isShell: false }, work, place)
    return
  }
  if (!kept.every(isInput)) refuse(`this redirection of the function ${name}`, 'redirect the commands in it')
  script.compounded.add(node)
  script.replace(node, `{ ${text}; } ${texts.join(' ')}`)
}

function isDiscarded(one: Redirection): boolean {
  return (
    isOfErrors(one) && one.type === 'Redirect' && one.target?.text === '/dev/null' && one.operator === '>'
  )
}

/** Whether a redirection says where messages go. */
export function isOfErrors(one: Redirection): boolean {
  if (one.type !== 'Redirect') return false
  if (one.operator === '&>' || one.operator === '&>>') return true
  if (one.operator === '>&' && one.descriptor === undefined) return !/^\d$/.test(one.target?.text ?? '')
  return one.descriptor?.type === 'FileDescriptor' && one.descriptor.value === 2
}
