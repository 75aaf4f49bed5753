import { quotedParameter } from './nodes.ts'
import type { AnyNode } from './walk.ts'

/** `for x; do`: just-bash splits the parameters at spaces, so that `"$@"` is written out. */
export function forWithoutWords(node: AnyNode): object {
  return node['words'] === null ? { ...node, words: [quotedParameter('@')] } : node
}
