import type { CommandNode, StatementNode } from '../just-bash.ts'
import { innerPath } from './inner-command.ts'
import { group, literal, quotedParameter, simple, single } from './nodes.ts'
import { innerOf } from './walk.ts'

/** `__discard pid`: the shell of that pid leaves the line that it runs. */
export const DISCARD = '__discard'

/** Ends the line of the script, or the subshell that this is in. */
export function endLine(inSubshell: boolean): CommandNode {
  const exit = simple('exit', literal('1'))
  const discard = simple(innerPath(DISCARD), quotedParameter('BASHPID'))
  return inSubshell ? exit : group([single(discard), single(exit)])
}

/**
 * Where the line of each statement ends: an expression that fails ends the line that it is on, and bash
 * goes on with the next one.
 *
 * @returns for each statement the index of the first one of a later line.
 */
export function lineEnds(statements: readonly StatementNode[]): number[] {
  const ends: number[] = []
  let next = statements.length
  for (let at = statements.length - 1; at >= 0; at -= 1) {
    ends[at] = next
    if (beginsLine(statements, at)) next = at
  }
  return ends
}

function beginsLine(statements: readonly StatementNode[], at: number): boolean {
  const before = statements[at - 1]
  const node = statements[at]
  if (before === undefined || node === undefined) return true
  const begin = firstLine(node)
  const last = firstLine(before)
  if (begin === undefined || last === undefined) return true
  return begin > last + ((before.sourceText ?? '').match(/\n/g)?.length ?? 0)
}

/** The line of the first command of a tree that has one. */
function firstLine(value: object): number | undefined {
  const line: unknown = Reflect.get(value, 'line')
  if (typeof line === 'number' && line > 0) return line
  for (const inner of innerOf(value)) {
    const found = firstLine(inner)
    if (found !== undefined) return found
  }
  return undefined
}
