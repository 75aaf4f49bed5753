import type { Rule } from '../work.ts'

/** Backquotes are written `$( )`, where the guards see the commands in them. */
export const backquotes: Rule<'CommandExpansion'> = (node, { script }, place) => {
  if (!node.text.startsWith('`') || node.script === undefined) return
  void place
  const inner = node.script.source ?? script.text({ pos: node.pos + 1, end: node.end - 1 })
  script.replace(node, `$(${inner}\n)`)
}
