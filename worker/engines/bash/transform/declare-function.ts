import type { SimpleCommandNode } from '../just-bash.ts'
import { innerPath } from './inner-command.ts'
import { literal, plainText } from './nodes.ts'

/** `__functions name…`: prints the source of functions. */
export const PRINT_FUNCTIONS = '__functions'

/** `declare -f name`: just-bash prints no bodies. */
export function declareFunction(node: SimpleCommandNode): SimpleCommandNode {
  const name = plainText(node.name)
  if ((name !== 'declare' && name !== 'typeset') || plainText(node.args[0] ?? null) !== '-f') return node
  return { ...node, name: literal(innerPath(PRINT_FUNCTIONS)), args: node.args.slice(1) }
}
