import { refuse } from '../refusal.ts'
import type { Place } from '../walk.ts'
import { around } from '../walk.ts'
import type { Rule } from '../work.ts'
import { expandBraces } from './brace-expansion.ts'

/** `{a,b}` and `{1..3}` are written out. */
export const braces: Rule<'Word'> = (node, { script }, place) => {
  if (node.parts?.some(({ type }) => type === 'BraceExpansion') !== true || !isExpanded(place)) return
  const words = expandBraces(script.text(node))
  if (words.length === 1 && words[0] === script.text(node)) return
  if (place.outer?.node.type === 'Redirect')
    refuse('a brace expansion as the target of a redirection', 'write one name')
  script.replace(node, words.join(' '))
}

/** Not in assignments, patterns and tests. */
function isExpanded(place: Place): boolean {
  const outer = place.outer?.node
  if (outer === undefined) return false
  if (outer.type === 'Command' || outer.type === 'Redirect') return true
  return outer.type === 'For' && outer.name !== place.node && around(place, 'For') === outer
}
