import type { CommandNode, SimpleCommandNode, StatementNode } from '../just-bash.ts'
import { group, soleCommand } from './nodes.ts'
import { withIndex } from './wrong-index.ts'

const SUBSTITUTES = /"type":"(Command|Process)Substitution"|ArithCommandSubst|`|\$\(/

/** Whether a command is an assignment alone, whose status is 0 or that of a substitution in it. */
const assignsOnly = ({ name, assignments }: SimpleCommandNode) => name === null && assignments.length > 0

/** An assignment, and what follows where its index is wrong. */
export function assignment(node: SimpleCommandNode, inSubshell: boolean): CommandNode {
  if (!assignsOnly(node)) return node
  const statements = withIndex(node, inSubshell, SUBSTITUTES.test(JSON.stringify(node.assignments)))
  const [only] = statements
  const sole = only === undefined || statements.length > 1 ? undefined : soleCommand(only)
  return sole ?? group(statements)
}

/** An assignment whose substitutions run before it: it keeps the status of the last one. */
export function keepingStatus(
  node: SimpleCommandNode,
  before: readonly StatementNode[],
): SimpleCommandNode & { readonly keepsStatus?: boolean } {
  if (!assignsOnly(node) || !SUBSTITUTES.test(JSON.stringify(before))) return node
  return { ...node, keepsStatus: true }
}
