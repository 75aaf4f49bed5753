import type { SyntaxNode } from 'unbash'
import { ASKS_STATUS } from '../asks-status.ts'
import { callsFunction, nameOf } from '../facts.ts'
import { refuse } from '../refusal.ts'
import { type Place, some } from '../walk.ts'
import type { Work } from '../work.ts'

const OWNERS: ReadonlySet<SyntaxNode['type']> = new Set([
  'Command',
  'Redirected',
  'For',
  'Case',
  'ArithmeticCommand',
  'TestCommand',
])

/** Runs a command before the one that a place belongs to: `group` writes it. */
export function before(place: Place, work: Work, command: string): void {
  const owner = ownerOf(place)
  work.pending.set(owner, [...(work.pending.get(owner) ?? []), command])
}

/** The command that a place belongs to. */
export function ownerOf(place: Place): SyntaxNode {
  for (let at: Place | undefined = place; at !== undefined; at = at.outer) {
    if (OWNERS.has(at.node.type) && at.outer?.node.type !== 'Redirected') return at.node
  }
  return refuse('an expansion of this kind here', 'put it into a command of its own')
}

/** Writes what has to run before a command, in a group with it. */
export function group(node: SyntaxNode, work: Work, place: Place): void {
  const commands = work.pending.get(node)
  if (commands === undefined) return
  if (place.outer?.node.type === 'Function')
    refuse('a here-document of a function definition', 'redirect its call')
  work.script.compounded.add(node)
  // With `set -e` the engine ends at a compound command that fails.
  const tail = node.type === 'Command' || isShell(node) ? '' : ' && :'
  const first = kept(commands.join('; '), work.script.written(node), node, work)
  work.script.replace(node, `{ ${first}; ${work.script.text(node)}${tail}; }`)
}

function isShell(node: SyntaxNode): boolean {
  return node.type === 'Redirected' && node.command.type === 'Subshell'
}

/** A command that runs before another with the status before it, where the other asks for that. */
export function kept(check: string, text: string, owner: SyntaxNode, work: Work): string {
  const isAsked = ASKS_STATUS.test(text) || asksBefore(owner, work)
  return isAsked ? `__ssr_asked=$?; ${check}; __ssr_status "$__ssr_asked" && :` : check
}

/** Whether a command asks for the status before it, or calls a function that may. */
export function asksBefore(node: SyntaxNode, { script, facts }: Work): boolean {
  if (ASKS_STATUS.test(script.written(node))) return true
  return some(
    node,
    (place) =>
      callsFunction(place.node, facts) &&
      (ASKS_STATUS.test(script.source) ||
        (place.node.type === 'Command' && facts.known.has(nameOf(place.node) ?? ''))),
  )
}
