import type { ArithmeticExpression } from 'unbash'
import { scopeOf } from '../facts.ts'
import { refuse } from '../refusal.ts'
import { around, type Place } from '../walk.ts'
import type { Rule, Work } from '../work.ts'
import { arithmetic } from './arithmetic.ts'
import type { Values } from './arithmetic-operands.ts'
import { before } from './before.ts'
import { ending } from './exits.ts'
import { lookAt, looks, valuesAt } from './operand-values.ts'

/** `$(( … ))` in what the engine computes as bash does. */
export const arithmeticExpansion: Rule<'ArithmeticExpansion'> = (node, work, place) => {
  if (node.expression === undefined) return
  // Bash computes in the shell of the command that reads the text: what it assigns is gone.
  if (
    around(place, 'HereDoc', 'HereString') !== undefined &&
    /(?:\+\+|--|[^=!<>]=(?!=)|(?:<<|>>)=)/.test(node.text)
  )
    refuse('an assignment in a here-document', 'assign before')
  work.script.replace(node, `$(( ${checked(node.expression, work, place)} ))`)
}

/** `(( … ))` is a test of its value. */
export const arithmeticCommand: Rule<'ArithmeticCommand'> = (node, work, place) => {
  if (node.expression === undefined) return refuse('an empty (( ))', 'use false')
  work.script.replace(node, `[ $(( ${checked(node.expression, work, place)} )) -ne 0 ]`)
}

/** `for ((…))` is a `while` whose step comes first in all rounds but the first, so that `continue` does not skip it. */
export const arithmeticFor: Rule<'ArithmeticFor'> = (node, work, place) => {
  const { script, next, mark } = work
  const noDivisor = () => refuse('a division by a variable in for ((…))', 'use a while loop')
  const value = (one: ArithmeticExpression | undefined, otherwise: string) => {
    if (one === undefined) return { text: otherwise, looked: '' }
    const operands: string[] = []
    const values: Values = {
      isPlain: (name, at) => work.facts.numbers.isPlain(name, at),
      look: (kind, word) => operands.push(lookAt(kind, word)),
      expand: (text) => refuse(`${text} in for ((…))`, 'assign it to a variable first'),
    }
    const text = arithmetic(one, script, noDivisor, values)
    return { text, looked: operands.length === 0 ? '' : `${looks(operands, work, place)}; ` }
  }
  const first = `__ssr_first_${mark}_${next()}`
  const [start, step, test] = [value(node.initialize, '0'), value(node.update, '0'), value(node.test, '1')]
  script.compounded.add(node)
  script.replace(
    node,
    `{ ${start.looked}: $(( ${start.text} )); ${first}=1; while ` +
      `case $${first} in 1) ${first}=0 ;; *) ${step.looked}: $(( ${step.text} )) ;; esac; ` +
      `${test.looked}[ $(( ${test.text} )) -ne 0 ]; do ${script.text(node.body)}\ndone; }`,
  )
}

/** An expression whose divisors are looked at before the command runs: the engine takes a quotient by 0 for 0. */
function checked(expression: ArithmeticExpression, work: Work, place: Place): string {
  const divisors = (divisor: string) => {
    if (/[^=!<>]=[^=]/.test(divisor)) refuse('a divisor that assigns', 'assign in a command of its own')
    const end = ending(scopeOf(place), '2')
    before(
      place,
      work,
      `case $(( ${divisor} )) in 0) printf 'strands-shell: division by 0\\n' >&2; ${end} ;; esac`,
    )
  }
  return arithmetic(expression, work.script, divisors, valuesAt(place, work))
}
