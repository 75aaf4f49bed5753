import type { NodeOf } from '../just-bash.ts'
import { innerOf, isNode } from './walk.ts'

/** `[!a-z]` in a pattern of `case` or `[[ ]]`: just-bash knows `[^a-z]` there. */
export function mendNegation(node: NodeOf<'Case' | 'ConditionalCommand'>): void {
  if (node.type === 'Case') for (const item of node.items) mend(item.patterns)
  else mend(node.expression)
}

function mend(value: object): void {
  if (isNode(value) && value.type === 'Glob') value.pattern = value.pattern.replaceAll(/(?<!\\)\[!/g, '[^')
  for (const inner of innerOf(value)) mend(inner)
}
