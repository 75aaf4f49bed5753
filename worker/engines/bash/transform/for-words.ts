import type { NodeOf } from '../just-bash.ts'
import { quotedParameter } from './nodes.ts'

/** `for x; do`: just-bash splits the parameters at spaces, so that `"$@"` is written out. */
export function forWithoutWords(node: NodeOf<'For'>): NodeOf<'For'> {
  return node.words === null ? { ...node, words: [quotedParameter('@')] } : node
}
