import type { SyntaxNode } from 'unbash'
import { functionText } from '../function-text.ts'
import type { Work } from '../work.ts'

/** What leaves a function must not stand in one of ours. */
const LEAVES = /\b(?:exit|return|local|break|continue|shift|set)\b/

/**
 * Makes a function of what was a simple command and is a group now: with `set -e` the engine ends at a group that fails,
 * also where its status is asked for; at a function it does not.
 */
export function asFunction(node: SyntaxNode, work: Work): void {
  const { script } = work
  if (!script.compounded.has(node)) return
  const text = script.text(node)
  if (LEAVES.test(text)) return
  const name = `__ssr_group_${work.mark}_${work.next()}`
  work.hoist(functionText(name, [text]))
  script.compounded.delete(node)
  script.replace(node, `${name} "$@"`)
}
