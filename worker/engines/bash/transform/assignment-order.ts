import type { SimpleCommandNode, StatementNode } from '../just-bash.ts'
import { computesWith } from './expansion-order.ts'
import { assignWord, quotedParameter, simple, single } from './nodes.ts'

const nameOf = (name: string) => name.replace(/\[.*/s, '')
const substitutes = (node: object) => /"type":"CommandSubstitution"/.test(JSON.stringify(node))

/**
 * `x=5 y=$((x * 2))`: the expression is computed before its command, so that each assignment is a command of its own.
 *
 * @returns the commands, or undefined where one will do
 * @throws Error where the assignments are those of a command
 */
export function inTurn(node: SimpleCommandNode): SimpleCommandNode[] | undefined {
  const { assignments } = node
  const names = assignments.map(({ name }) => nameOf(name))
  const depends = assignments.some((one, at) => computesWith(one, names.slice(0, at)))
  if (!depends) return undefined
  if (node.name !== null)
    throw new Error('a command behind an assignment that computes with another one is not known here')
  const last = assignments.length - 1
  return assignments.map((one, at) => ({
    ...node,
    assignments: [one],
    redirections: at === last ? node.redirections : [],
  }))
}

/** The commands with the status of the last substitution among them. */
export function withStatus(
  written: readonly SimpleCommandNode[],
  commands: readonly StatementNode[],
  heldName: () => string,
): StatementNode[] {
  const from = written.map(substitutes).lastIndexOf(true)
  if (from < 0 || from === commands.length - 1) return [...commands]
  const held = heldName()
  const keep = single(assignWord(held, quotedParameter('?')))
  const answer = single({
    type: 'Subshell',
    body: [single(simple('exit', quotedParameter(held)))],
    redirections: [],
  })
  return [...commands.slice(0, from + 1), keep, ...commands.slice(from + 1), answer]
}
