import type { CommandNode, NodeOf, StatementNode } from '../just-bash.ts'
import { single } from './nodes.ts'

/**
 * A loop whose body ends with `a && b`: under `set -e` just-bash ends the shell when `a` fails, because
 * the loop's condition has run since. `if a; then b; fi` does the same without that status.
 */
export function andTail(node: NodeOf<'While' | 'Until'>): object {
  mendLast(node.body)
  return node
}

function mendLast(body: StatementNode[] | null): void {
  // One that is made as it runs is no list.
  if (!Array.isArray(body)) return
  const last = body.at(-1)
  if (last === undefined) return
  if (last.pipelines.length === 1) {
    mendCommand(last.pipelines[0]?.commands)
    return
  }
  if (last.background || last.operators.some((operator) => operator !== '&&')) return
  const rest = last.pipelines.slice(0, -1)
  const tail = last.pipelines.slice(-1)
  body[body.length - 1] = single({
    type: 'If',
    clauses: [
      {
        condition: [{ ...last, pipelines: rest, operators: last.operators.slice(0, -1) }],
        body: [{ ...last, pipelines: tail, operators: [] }],
      },
    ],
    elseBody: null,
    redirections: [],
  })
}

function mendCommand(commands: readonly CommandNode[] | undefined): void {
  const [command] = commands ?? []
  if (command === undefined || commands?.length !== 1) return
  if (command.type === 'If') {
    for (const clause of command.clauses) mendLast(clause.body)
    mendLast(command.elseBody)
  } else if (command.type === 'Case') for (const item of command.items) mendLast(item.body)
  else if (command.type === 'Group' || command.type === 'For' || command.type === 'CStyleFor')
    mendLast(command.body)
}
