import type { Command, SyntaxNode } from 'unbash'
import { nameOf } from '../facts.ts'
import { isInput } from '../input.ts'
import { isStage, type Place } from '../walk.ts'
import type { Work } from '../work.ts'
import { asFunction } from './as-function.ts'
import { isOfFile } from './redirected-output.ts'

/** What the engine runs without touching standard input, as long as it is not translated to a program. */
const BUILTINS: ReadonlySet<string> = new Set(
  ': [ alias break cd continue echo exit export false local printf pwd read readonly return set shift test trap true type umask unalias unset wait'.split(
    ' ',
  ),
)

/** Programs of the engine that fail without a standard input. */
const FAILING: ReadonlySet<string> = new Set('cut grep head jq sed sort tail tee tr'.split(' '))

/** Whether a command that reads has no standard input, and would tell of a bad descriptor instead of finding it empty. */
export function lacksInput(node: Command, { facts, inputs, input }: Work, place: Place): boolean {
  const name = nameOf(node)
  if (name === undefined || node.redirects.some(isInput)) return false
  if (name !== 'read' && !FAILING.has(name) && !facts.functions.has(name)) return false
  return inputs.reads(node) && !inputs.isThereThrough(place, input)
}

/**
 * In the engine every program takes the standard input of the commands around it, and leaves them none: `read` in a loop
 * finds its input at an end after the first round. A program that does not read gets an empty one.
 */
export function ownInput(node: SyntaxNode, work: Work, place: Place): void {
  const { script, inputs } = work
  if (node.type === 'Command') {
    const name = nameOf(node)
    if (lacksInput(node, work, place)) {
      const text = script.text(node).trimEnd()
      if (isOwn(name, text) && !script.compounded.has(node)) script.replace(node, `${text} < /dev/null`)
      else if (!text.startsWith('__ssr_frame_')) {
        script.compounded.add(node)
        script.replace(node, `{ ${text}; } < /dev/null`)
      }
      return
    }
    const file = node.redirects.find(isOfFile)
    const isProgram = script.text(node).startsWith('lua ')
    if (file !== undefined && !isStage(place) && isProgram) {
      // Of a program in lua the engine does not tell that its input cannot be opened; of a group it does.
      script.compounded.add(node)
      script.replace(node, `{ ${script.text(node).trimEnd()}; } ${script.text(file)}`)
      return
    }
    if (node.name === undefined || (name !== undefined && BUILTINS.has(name) && !isProgram)) return
    if (isStage(place)) return
  } else if (node.type === 'Pipeline' && node.commands.length < 2) return
  if (!inputs.shared(place, work.input) || inputs.reads(node)) return
  script.compounded.add(node)
  script.replace(node, `{ ${script.text(node).trimEnd()}; } < /dev/null`)
  if (node.type === 'Pipeline' && node.prefixes.length === 0) asFunction(node, work)
}

/** Whether a text is a call of a program of the engine. */
function isOwn(name: string | undefined, text: string): boolean {
  return name !== undefined && FAILING.has(name) && !text.startsWith('__ssr_')
}
