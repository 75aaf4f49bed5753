import type { SyntaxNode } from 'unbash'
import { refuse } from '../refusal.ts'
import type { Place } from '../walk.ts'
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
  for (let at: Place | undefined = place; at !== undefined; at = at.outer) {
    if (!OWNERS.has(at.node.type) || at.outer?.node.type === 'Redirected') continue
    work.pending.set(at.node, [...(work.pending.get(at.node) ?? []), command])
    return
  }
  refuse('an expansion of this kind here', 'put it into a command of its own')
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
  work.script.replace(node, `{ ${commands.join('; ')}; ${work.script.text(node)}${tail}; }`)
}

function isShell(node: SyntaxNode): boolean {
  return node.type === 'Redirected' && node.command.type === 'Subshell'
}
