import { callsFunction, nameOf } from '../facts.ts'
import { functionText } from '../function-text.ts'
import { refuse } from '../refusal.ts'
import type { Rule } from '../work.ts'
import { assignedValue } from './assignments.ts'
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

/** The engine does not give a function the variables of its call. They are its own: what it changes in them is gone after it. */
export const callVariables: Rule<'Command'> = (node, work) => {
  const { script, facts, mark } = work
  const { prefix, name: word } = node
  if (word === undefined || !prefix.some(({ type }) => type === 'Assignment')) return
  const name = nameOf(node) ?? ''
  if (/^(?:eval|source|\.)$/.test(name)) refuse(`a variable for one ${name}`, 'set it before')
  if (!callsFunction(node, facts)) return
  const assigned = prefix.map((one) =>
    one.type === 'Assignment' && one.append !== true
      ? { name: one.name, value: one.value.type === 'Word' ? assignedValue(one.value, script) : "''" }
      : refuse(`this before the name of the function ${name}`, 'set the variables before it'),
  )
  const sets = assigned.flatMap((one, index) => [
    `local ${one.name}`,
    `export ${one.name}="\${${index + 1}}"`,
  ])
  const call = `__ssr_with_${mark}_${work.next()}`
  work.hoist(functionText(call, [...sets, `shift ${assigned.length}`, `${word.text} "$@"`]))
  script.replace({ pos: node.pos, end: word.end }, [call, ...assigned.map(({ value }) => value)].join(' '))
}
