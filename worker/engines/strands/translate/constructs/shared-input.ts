import type { SyntaxNode } from 'unbash'
import { nameOf } from '../facts.ts'
import { isInput } from '../input.ts'
import { isStage, type Place } from '../walk.ts'
import type { Work } from '../work.ts'
import { asFunction } from './as-function.ts'

/** What the engine runs without touching standard input. */
const BUILTINS: ReadonlySet<string> = new Set(
  ': [ alias break cd continue echo exit export false local printf pwd read readonly return set shift test trap true type umask unalias unset wait'.split(
    ' ',
  ),
)

/**
 * In the engine every program takes the standard input of the commands around it, and leaves them none: `read` in a loop
 * finds its input at an end after the first round. A program that does not read gets an empty one.
 */
export function ownInput(node: SyntaxNode, work: Work, place: Place): void {
  const { script, inputs } = work
  if (node.type === 'Command') {
    const name = nameOf(node)
    if (name === 'read' && !node.redirects.some(isInput) && !inputs.isThereThrough(place, work.input)) {
      // Without an input the engine tells of a bad descriptor.
      script.compounded.add(node)
      script.replace(node, `{ ${script.text(node)}; } < /dev/null`)
      return
    }
    if (node.name === undefined || (name !== undefined && BUILTINS.has(name))) return
    if (isStage(place)) return
  } else if (node.type === 'Pipeline' && node.commands.length < 2) return
  if (!inputs.shared(place, work.input) || inputs.reads(node)) return
  script.compounded.add(node)
  script.replace(node, `{ ${script.text(node).trimEnd()}; } < /dev/null`)
  if (node.type === 'Pipeline' && node.prefixes.length === 0) asFunction(node, work)
}
