import type { SyntaxNode } from 'unbash'
import { refuse } from '../refusal.ts'
import { around, type Place, walk } from '../walk.ts'
import type { Rule } from '../work.ts'
import { named } from './command.ts'

/** `wait` of the engine waits for all jobs, whatever it is told: it is right about the only one. */
export const waiting: Rule<'Command'> = (node, _, place) => {
  const command = named(node)
  if (command?.name !== 'wait' || command.words.length === 0) return
  const isJob = command.words.length === 1 && /^"?\$(?:!|\w+|\{\w+\})"?$/.test(command.words[0]?.text ?? '')
  if (!isJob || isRepeated(place) || !isOnly(topOf(place)))
    refuse('wait of one of several jobs', 'use wait without operands')
}

/** Whether a script has one background job and one `wait`. */
function isOnly(top: SyntaxNode): boolean {
  let [jobs, waits] = [0, 0]
  walk(top, (place) => {
    const { node } = place
    if (node.type === 'Statement' && node.background === true) jobs += isRepeated(place) ? 2 : 1
    if (node.type === 'Command' && named(node)?.name === 'wait') waits++
  })
  return jobs === 1 && waits === 1
}

function isRepeated(place: Place): boolean {
  return around(place, 'Function', 'For', 'While', 'ArithmeticFor', 'CommandExpansion') !== undefined
}

function topOf({ node, outer }: Place): SyntaxNode {
  return outer === undefined ? node : topOf(outer)
}
