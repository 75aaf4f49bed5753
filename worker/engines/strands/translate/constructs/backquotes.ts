import { within } from '../script.ts'
import type { Rule } from '../work.ts'

/** Backquotes are written `$( )`, where the guards see the commands in them. */
export const backquotes: Rule<'CommandExpansion'> = (node, { script }) => {
  if (!node.text.startsWith('`') || node.script === undefined) return
  const inner = node.script.source ?? script.text(within(node))
  script.replace(node, `$(${inner}\n)`)
}
