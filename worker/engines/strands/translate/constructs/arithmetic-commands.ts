import { refuse } from '../refusal.ts'
import type { Rule } from '../work.ts'
import { arithmetic } from './arithmetic.ts'

/** `$(( … ))` in what the engine computes as bash does. */
export const arithmeticExpansion: Rule<'ArithmeticExpansion'> = (node, { script }) => {
  if (node.expression === undefined) return
  script.replace(node, `$(( ${arithmetic(node.expression, script)} ))`)
}

/** `(( … ))` is a test of its value. */
export const arithmeticCommand: Rule<'ArithmeticCommand'> = (node, { script }) => {
  if (node.expression === undefined) return refuse('an empty (( ))', 'use false')
  script.replace(node, `[ $(( ${arithmetic(node.expression, script)} )) -ne 0 ]`)
}

/** `for ((…))` is a `while`; `continue` in it would skip the step. */
export const arithmeticFor: Rule<'ArithmeticFor'> = (node, { script, next, mark }) => {
  const value = (one: typeof node.test, otherwise: string) =>
    one === undefined ? otherwise : arithmetic(one, script)
  const first = `__ssr_first_${mark}_${next()}`
  const body = script.text(node.body)
  script.compounded.add(node)
  script.replace(
    node,
    `{ : $(( ${value(node.initialize, '0')} )); ${first}=1; while ` +
      `case $${first} in 1) ${first}=0 ;; *) : $(( ${value(node.update, '0')} )) ;; esac; ` +
      `[ $(( ${value(node.test, '1')} )) -ne 0 ]; do ${body}\ndone; }`,
  )
}
