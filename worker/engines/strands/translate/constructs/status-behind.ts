import type { Case, CommandExpansionPart, For, SyntaxNode, TestCommand } from 'unbash'
import { refuse } from '../refusal.ts'
import { around, isSubstitution, type Place, walk } from '../walk.ts'
import type { Rule } from '../work.ts'
import { CAUGHT_OUTPUT, CAUGHT_STATUS, commandsIn, withStatus } from './assignments.ts'
import { before } from './before.ts'

/** A `$?` behind a substitution of the same command. */
interface Asked {
  readonly place: Place
  readonly of: CommandExpansionPart
}

/** `echo "$(cmd)" $?` tells the status of `cmd`; in the engine that of the command before. */
export const statusBehind: Rule<'Command'> = (node, work, place) => {
  if (node.name === undefined) return
  const { script } = work
  const [first, ...others] = askedIn([node])
  if (first === undefined) return
  const inner = commandsIn(first.of, script)
  const hasDocument = node.redirects.some(({ type }) => type === 'HereDoc')
  if (inner === undefined || hasDocument || others.some(({ of }) => of !== first.of)) refuseAsked()
  before(place, work, withStatus(inner, work))
  script.replace(first.of, CAUGHT_OUTPUT)
  for (const { place: at } of [first, ...others]) script.replace(at.node, CAUGHT_STATUS)
  const texts = node.args.map((one) => script.text(one)).join(' ')
  // What has been written as a whole takes no other text.
  if (texts.split(CAUGHT_STATUS).length <= others.length + 1) refuseAsked()
}

/** The same of what has no words that take another text. */
export function statusBehindWord(node: Case | For | TestCommand): void {
  const head = node.type === 'For' ? (node.wordlist ?? []) : node.type === 'Case' ? [node.word] : [node]
  if (askedIn(head).length > 0) refuseAsked()
}

function refuseAsked(): never {
  return refuse('$? behind $( ) in one command', 'use x=$(…) before, and $? of that')
}

function askedIn(nodes: readonly SyntaxNode[]): readonly Asked[] {
  const found: Asked[] = []
  const substitutions: SyntaxNode[] = []
  const asking: Place[] = []
  const look = (place: Place) => {
    const { node } = place
    if (around(place, 'CommandExpansion', 'ArithmeticCommandExpansion', 'ProcessSubstitution')) return
    if (isSubstitution(node)) substitutions.push(node)
    if ('text' in node && node.type !== 'Word' && /^\$(?:\?|\{\?\})$/.test(node.text)) asking.push(place)
  }
  for (const node of nodes) walk(node, look)
  for (const place of asking) {
    const of = substitutions.findLast(({ end }) => end <= place.node.pos)
    if (of === undefined) continue
    if (of.type !== 'CommandExpansion') return refuseAsked()
    if (around(place, 'ArithmeticExpansion', 'ParameterExpansion', 'HereDoc', 'HereString')) refuseAsked()
    found.push({ place, of })
  }
  return found
}
