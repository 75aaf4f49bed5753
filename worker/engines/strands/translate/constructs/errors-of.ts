import type { SyntaxNode } from 'unbash'
import { nameOf } from '../facts.ts'
import { refuse } from '../refusal.ts'
import { walk } from '../walk.ts'
import type { Rule, Work } from '../work.ts'
import { isOfErrors, isToErrors } from './function-calls.ts'

/** The engine does not redirect standard error of compound commands: that of each command in them is. */
export const errorsOfCompound: Rule<'Redirected'> = (node, work) => {
  const { script } = work
  // The engine loses what such a command prints.
  if (node.redirects.some(isToErrors)) refuse('>&2 of a compound command', 'redirect the commands in it')
  const [errors, ...others] = node.redirects.filter(isOfErrors)
  if (errors === undefined) return
  const last = node.redirects.at(-1)
  if (others.length > 0 || errors.type !== 'Redirect' || errors !== last) {
    return refuse('this order of redirections of a compound command', 'redirect the commands in it')
  }
  const target = script.text(errors.target ?? errors)
  if (errors.operator === '>&' && target === '1') {
    redirectErrors(node.command, '2>&1', work)
    script.replace(errors, '')
  } else if (errors.operator === '>' || errors.operator === '>>') {
    redirectErrors(node.command, target === '/dev/null' ? '2>/dev/null' : `2>>${target}`, work)
    script.replace(errors, '')
    if (errors.operator === '>' && target !== '/dev/null')
      work.pending.set(node, [...(work.pending.get(node) ?? []), `: > ${target}`])
  } else if (errors.descriptor === undefined) {
    redirectErrors(node.command, '2>&1', work)
    script.replace(errors, `${errors.operator === '&>>' ? '>>' : '>'} ${target}`)
  } else
    refuse(`the redirection ${script.written(errors)} of a compound command`, 'redirect the commands in it')
}

/** Puts a redirection of standard error before those of each command in a node. */
export function redirectErrors(
  node: SyntaxNode,
  redirection: string,
  { script, facts, matching }: Work,
): void {
  const commands: SyntaxNode[] = []
  walk(node, ({ node: one }) => {
    if (one.type === 'Command') commands.push(one)
  })
  for (const one of commands) {
    if (one.type !== 'Command' || one.name === undefined) continue
    const name = nameOf(one)
    if (name !== undefined && facts.functions.has(name)) {
      if (redirection === '2>/dev/null') continue
      refuse(
        `standard error of the function ${name} in a redirection around it`,
        'redirect the commands in it',
      )
    }
    const put = matching.get(one)
    if (put !== undefined) {
      put(redirection)
      continue
    }
    if (script.compounded.has(one)) continue
    const text = script.text(one)
    if (/^__ssr_/.test(text)) continue
    script.replace(one, `${redirection} ${text}`)
  }
}
