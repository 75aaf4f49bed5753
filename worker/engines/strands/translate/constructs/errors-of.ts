import type { Redirect, Redirected } from 'unbash'
import { nameOf } from '../facts.ts'
import { refuse } from '../refusal.ts'
import type { Script } from '../script.ts'
import { type Place, some } from '../walk.ts'
import { literalOf, oneWord } from '../words.ts'
import type { Rule, Work } from '../work.ts'
import { isOfErrors } from './function-calls.ts'
import { absolute } from './isolated.ts'
import { isPrinting, joinedCall } from './one-stream.ts'

/** The engine does not redirect standard error of compound commands: that of each command in them is. */
export const errorsOfCommand: Rule<'Command'> = (node, work, place) => {
  const { script, facts } = work
  const redirection = node.name === undefined ? undefined : errorsAround(place, work)
  if (redirection === undefined) return
  const name = nameOf(node)
  if (name !== undefined && facts.functions.has(name)) {
    if (redirection === '2>/dev/null' || work.options.errors !== undefined) return
    refuse(`standard error of the function ${name} in a redirection around it`, 'redirect the commands in it')
  }
  const text = redirection === '2>&1' && isPrinting(node) ? joinedCall(script.text(node)) : script.text(node)
  if (!script.compounded.has(node) && !text.startsWith('__ssr_'))
    script.replace(node, `${redirection} ${text}`)
}

/** The redirection of the nearest compound command around a place that has one of standard error. */
function errorsAround(place: Place, { script, options }: Work): string | undefined {
  for (let at = place.outer; at !== undefined; at = at.outer) {
    if (at.node.type !== 'Redirected') continue
    const found = at.node.redirects.findLast(isOfErrors)
    if (found?.type === 'Redirect') return ofEach(at.node, found, script)
  }
  return options.errors
}

/** Where the messages of each command go. */
function ofEach(node: Redirected, errors: Redirect, script: Script): string {
  const target = script.text(errors.target ?? errors)
  if (errors.descriptor === undefined || (errors.operator === '>&' && target === '1')) return '2>&1'
  if (target === '/dev/null') return '2>/dev/null'
  const variable = variableOf(node, errors)
  return `2>>${variable === undefined ? target : `"$${variable}"`}`
}

/** Commands after which a path or a value in it may be another. */
const MOVES: ReadonlySet<string> = new Set(['.', 'cd', 'eval', 'source'])

/** The variable that has the path of the file for the messages, where its word may mean another one later in the command. */
function variableOf({ command }: Redirected, { target, pos }: Redirect): string | undefined {
  const literal = literalOf(target)
  const isSettled = literal !== undefined && (literal.startsWith('/') || !some(command, isMove))
  return isSettled ? undefined : `__ssr_messages_${pos}`
}

function isMove({ node }: Place): boolean {
  return node.type === 'Command' && MOVES.has(nameOf(node) ?? '')
}

/** Takes away the redirection that the commands inside have. */
export const errorsOfCompound: Rule<'Redirected'> = (node, work) => {
  const { script } = work
  const [errors, ...others] = node.redirects.filter(isOfErrors)
  if (errors === undefined) return
  if (others.length > 0 || errors.type !== 'Redirect' || errors !== node.redirects.at(-1))
    return refuse('this order of redirections of a compound command', 'redirect the commands in it')
  const target = script.text(errors.target ?? errors)
  if (errors.descriptor === undefined) {
    script.replace(errors, `${errors.operator === '&>>' ? '>>' : '>'} ${target}`)
    return
  }
  if (errors.operator === '>&' ? target !== '1' : errors.operator !== '>' && errors.operator !== '>>')
    refuse(`the redirection ${script.written(errors)} of a compound command`, 'redirect the commands in it')
  script.replace(errors, '')
  if (errors.operator === '>&' || errors.target === undefined || target === '/dev/null') return
  const variable = variableOf(node, errors)
  const first = variable === undefined ? [] : absolute(variable, oneWord(errors.target, script))
  const file = variable === undefined ? target : `"$${variable}"`
  const opens = errors.operator === '>' ? [`: > ${file}`] : []
  work.pending.set(node, [...(work.pending.get(node) ?? []), ...first, ...opens])
}
