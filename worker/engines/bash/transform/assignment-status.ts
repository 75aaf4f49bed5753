import type { CommandNode, SimpleCommandNode } from '../just-bash.ts'
import { group, simple, single } from './nodes.ts'
import { withIndex } from './wrong-index.ts'

/** Whether a text of a tree holds a node of this kind. */
const holds = (node: object, what: RegExp) => what.test(JSON.stringify(node))

/**
 * `false; x=1` leaves status 1 in just-bash, 0 in bash. A `:` before the assignment clears it, or after
 * it where the value reads `$?`. With a command substitution the status is that of the substitution.
 */
export function assignmentStatus(node: SimpleCommandNode, inSubshell: boolean): CommandNode {
  const { assignments } = node
  if (node.name !== null || assignments.length === 0) return node
  const substitutes = holds(assignments, /"type":"(Command|Process)Substitution"|ArithCommandSubst|`|\$\(/)
  const assign = withIndex(node, inSubshell, substitutes)
  if (substitutes) return assign.length === 1 ? node : group(assign)
  const clear = single(simple(':'))
  return group(
    holds(assignments, /"parameter":"\?"|ArithSpecialVar|\$\?/) ? [...assign, clear] : [clear, ...assign],
  )
}
