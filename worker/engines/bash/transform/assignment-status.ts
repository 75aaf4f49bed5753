import type { CommandNode, SimpleCommandNode } from '../just-bash.ts'
import { group, simple, single } from './nodes.ts'

/** Whether a text of a tree holds a node of this kind. */
const holds = (node: object, what: RegExp) => what.test(JSON.stringify(node))

/**
 * `false; x=1` leaves status 1 in just-bash, 0 in bash. A `:` before the assignment clears it, or after
 * it where the value reads `$?`. With a command substitution the status is that of the substitution.
 */
export function assignmentStatus(node: SimpleCommandNode): CommandNode {
  const { assignments } = node
  if (node.name !== null || assignments.length === 0) return node
  if (holds(assignments, /"type":"(Command|Process)Substitution"|ArithCommandSubst|`|\$\(/)) return node
  const assign = single(node)
  const clear = single(simple(':'))
  return group(
    holds(assignments, /"parameter":"\?"|ArithSpecialVar|\$\?/) ? [assign, clear] : [clear, assign],
  )
}
