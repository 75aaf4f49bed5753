import type { SimpleCommandNode, StatementNode } from '../just-bash.ts'
import { keptText } from './expansion-order.ts'
import { literal, plainText, quotedParameter, simple, single } from './nodes.ts'

const STATUS = '__a0'

/** `exec program`: just-bash goes on behind it. The shell ends with the program, and runs no trap. */
export function executed(
  node: SimpleCommandNode,
  inSubshell: boolean,
): { command: SimpleCommandNode; after: StatementNode[] } | undefined {
  const [program, ...args] = node.args
  if (plainText(node.name) !== 'exec' || program === undefined) return undefined
  const option = plainText(program)?.startsWith('-') === true
  if (option && plainText(program) !== '--') throw new Error('the options of exec are not known here')
  const [name, ...rest] = option ? args : [program, ...args]
  if (name === undefined) return undefined
  const status = keptText(STATUS, { type: 'ParameterExpansion', parameter: '?', operation: null })
  const untrap = single(simple('trap', literal('-'), literal('EXIT')))
  const exit = single(simple('exit', quotedParameter(STATUS)))
  return {
    command: { ...node, name, args: rest },
    after: inSubshell ? [single(simple('exit'))] : [status, untrap, exit],
  }
}
