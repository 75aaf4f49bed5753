import type { SyntaxNode } from 'unbash'
import { callsFunction } from '../facts.ts'
import { some } from '../walk.ts'
import type { Rule, Work } from '../work.ts'

/**
 * With `set -e` the engine ends inside a function or compound command that fails before `&&` or `||`. In the condition of an
 * `if` it does not: what stands before the last of them runs there.
 */
export const andOr: Rule<'AndOr'> = (node, work, { outer }) => {
  if (outer?.node.type !== 'Statement' || outer.node.background === true) return
  const { script } = work
  // What is negated does not end a script.
  if (isNegated(node.commands.at(-1))) script.insert(node.end, ' && :')
  const at = node.commands.slice(0, -1).findLastIndex((one) => mayEnd(one, work))
  const [first, last] = [node.commands[0], node.commands[at]]
  if (first === undefined || last === undefined) return
  const range = { pos: first.pos, end: last.end }
  const code = `__ssr_code_${work.mark}_${work.next()}`
  const condition = `if ${script.text(range)}; then ${code}=0; else ${code}=$?; fi`
  script.replace(range, `${condition}; __ssr_status "$${code}"`)
}

function isNegated(one: SyntaxNode | undefined): boolean {
  return one?.type === 'Pipeline' && one.prefixes.some(({ type }) => type === 'Negation')
}

/** Whether commands of the script run inside a command, or functions of its translation. */
function mayEnd(one: SyntaxNode, { script, facts }: Work): boolean {
  if (one.type !== 'Command') return one.type !== 'TestCommand' && one.type !== 'ArithmeticCommand'
  return callsFunction(one, facts) || script.compounded.has(one)
}

const COMPOUND: ReadonlySet<SyntaxNode['type']> = new Set([
  'If',
  'For',
  'ArithmeticFor',
  'While',
  'Case',
  'BraceGroup',
  'Redirected',
])

/**
 * A compound command that fails does not end a script with `set -e`, and does in the engine. What fails in it ends the
 * script by itself, unless it is part of a list.
 */
export const compoundStatement: Rule<'Statement'> = (node, { script }) => {
  const { command, background } = node
  if (background === true || !COMPOUND.has(command.type) || !hasList(command)) return
  if (command.type === 'Redirected' && command.command.type === 'Subshell') return
  script.replace(command, `${script.text(command)} && :`)
}

function hasList(command: SyntaxNode): boolean {
  return some(command, ({ node }) => node.type === 'AndOr' || node.type === 'Negation')
}
