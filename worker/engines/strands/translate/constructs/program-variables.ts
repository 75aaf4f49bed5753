import { functionText } from '../function-text.ts'
import { refuse } from '../refusal.ts'
import type { Rule } from '../work.ts'
import { hasPattern } from './pathnames.ts'

/** A program in lua does not see the variables of its command: they are exported while it runs. */
export const programVariables: Rule<'Command'> = (node, work) => {
  const { script } = work
  if (node.name === undefined) return
  const assigned = node.prefix.filter((one) => one.type === 'Assignment')
  if (assigned.length === 0) return
  const text = script.text({ pos: node.name.pos, end: node.end })
  if (!/^lua\s/.test(text) || script.compounded.has(node)) return
  if (hasPattern(node, work))
    refuse('a pattern beside variables of one command', 'set the variables before it')
  const others = node.prefix.filter((one) => one.type !== 'Assignment').map((one) => script.text(one))
  const sets = assigned.flatMap((one) => [`local ${one.name}`, `export ${script.text(one)}`])
  const name = `__ssr_with_${work.mark}_${work.next()}`
  work.hoist(functionText(name, [...sets, [...others, text].join(' ')]))
  script.replace(node, `${name} "$@"`)
}
