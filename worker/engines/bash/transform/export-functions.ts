import type { SimpleCommandNode } from '../just-bash.ts'
import { innerPath } from './inner-command.ts'
import { literal, plainText } from './nodes.ts'

/** `__export name…`: the shells that this one starts have these functions. */
export const EXPORT_FUNCTIONS = '__export'

const EXPORTS: ReadonlyMap<string, RegExp> = new Map([
  ['export', /^-f$/],
  ['declare', /^-(?:fx|xf)$/],
  ['typeset', /^-(?:fx|xf)$/],
])

/** `export -f name`: just-bash takes `-f` for a name. */
export function exportFunctions(node: SimpleCommandNode): SimpleCommandNode {
  const [first, ...names] = node.args
  const flags = EXPORTS.get(plainText(node.name) ?? '')
  if (flags?.test(plainText(first ?? null) ?? '') !== true || names.length === 0) return node
  return { ...node, name: literal(innerPath(EXPORT_FUNCTIONS)), args: names }
}
