import type { ArithmeticExpression } from 'unbash'
import { isNumber } from '../facts.ts'
import { printsNumber } from '../numbers.ts'
import { refuse } from '../refusal.ts'
import type { Script } from '../script.ts'
import { NAME } from '../words.ts'
import { captured, operand, type Values } from './arithmetic-operands.ts'

const ASSIGNING = /^(?:[-+*/%&|^]|<<|>>)?=$/

/** Hears of each divisor that may be 0. */
export type Divisors = (divisor: string) => void
type Inner = (one: ArithmeticExpression) => string

const refuseDivisor: Divisors = () =>
  refuse('a division that depends on a condition', 'divide in a command of its own')

/** What a computation needs. */
interface Context {
  readonly script: Script
  readonly divisors: Divisors
  readonly values: Values
  /** Variables that what is computed before has given a number. */
  readonly given: Set<string>
  /** Where the operand begins that may be empty. */
  readonly start: number | undefined
}

/** An arithmetic expression in what the engine computes as bash does. */
export function arithmetic(
  expression: ArithmeticExpression,
  script: Script,
  divisors: Divisors,
  values: Values,
): string {
  return computation(expression, {
    script,
    divisors,
    values,
    given: new Set(),
    start: startOf(expression, script),
  })
}

/** Where the first operand begins, where a sign or nothing follows it. */
function startOf(expression: ArithmeticExpression, script: Script): number | undefined {
  let first = expression
  while (first.type === 'ArithmeticBinary') first = first.left
  const after = script.written({ pos: first.end, end: expression.end }).trimStart()
  return after === '' || /^[-+](?![-+=])/.test(after) ? first.pos : undefined
}

function computation(expression: ArithmeticExpression, context: Context): string {
  const inner = (one: ArithmeticExpression) => computation(one, context)
  const unsure = { ...context, divisors: refuseDivisor }
  const maybe = (one: ArithmeticExpression) => computation(one, unsure)
  const { script, divisors, values, given, start } = context
  switch (expression.type) {
    case 'ArithmeticGroup':
      return `(${inner(expression.expression)})`
    case 'ArithmeticCommandExpansion':
      if (expression.script !== undefined && printsNumber(expression.script)) return script.text(expression)
      return captured(script.text(expression), expression.pos === start ? 'start' : 'text', values)
    case 'ArithmeticWord':
      return operand(expression, script, values, given, expression.pos === start)
    case 'ArithmeticTernary': {
      // The engine loses its way in brackets around a condition.
      const test = maybe(expression.test)
      return `(((${test}) != 0) * (${maybe(expression.consequent)}) + ((${test}) == 0) * (${maybe(expression.alternate)}))`
    }
    case 'ArithmeticUnary':
      return unary(expression, inner, divisors, given)
    case 'ArithmeticBinary':
      return binary(
        expression,
        inner,
        expression.operator === '&&' || expression.operator === '||' ? maybe : inner,
        divisors,
        given,
      )
  }
}

type Unary = Extract<ArithmeticExpression, { type: 'ArithmeticUnary' }>
type Binary = Extract<ArithmeticExpression, { type: 'ArithmeticBinary' }>

function unary(
  { operator, operand: one, prefix }: Unary,
  inner: Inner,
  divisors: Divisors,
  given: Set<string>,
): string {
  if (operator !== '++' && operator !== '--') return `${operator}(${inner(one)})`
  const name = assigned(one, divisors)
  const [sign, back] = operator === '++' ? ['+', '-'] : ['-', '+']
  const changed = `(${name} = ${inner(one)} ${sign} 1)`
  given.add(name)
  return prefix ? changed : `(${changed} ${back} 1)`
}

function binary(
  { operator, left, right }: Binary,
  inner: Inner,
  last: Inner,
  divisors: Divisors,
  given: Set<string>,
): string {
  if (ASSIGNING.test(operator)) {
    const name = assigned(left, divisors)
    const value =
      operator === '=' ? inner(right) : computed(operator.slice(0, -1), inner(left), right, inner, divisors)
    given.add(name)
    return `(${name} = ${value})`
  }
  return computed(operator, inner(left), right, last, divisors)
}

function computed(
  operator: string,
  left: string,
  right: ArithmeticExpression,
  inner: Inner,
  divisors: Divisors,
): string {
  const text = inner(right)
  if (operator === '**') return power(left, right)
  // After a condition that is settled early the engine forgets the rest of the expression.
  if (operator === '||' || operator === '&&') return `(((${left}) != 0) ${operator[0]} ((${text}) != 0))`
  if (operator === '/' || operator === '%') {
    if (!isNumber(right)) divisors(text)
    return quotient(operator, left, text, right)
  }
  return `((${left}) ${operator} (${text}))`
}

/** The engine panics at the one quotient that has no 64 bits; it computes both sides of a condition. */
function quotient(operator: '/' | '%', left: string, text: string, right: ArithmeticExpression): string {
  if (right.type === 'ArithmeticWord' && /^\d+$/.test(right.value)) return `((${left}) ${operator} (${text}))`
  const isMinusOne = `((${text}) == -1)`
  const safe = `((${left}) ${operator} ((${text}) + 2 * ${isMinusOne}))`
  return operator === '%' ? safe : `(${safe} * (1 - 2 * ${isMinusOne}))`
}

function power(left: string, right: ArithmeticExpression): string {
  const exponent =
    right.type === 'ArithmeticWord' && /^\d{1,2}$/.test(right.value) ? Number(right.value) : undefined
  if (exponent === undefined || exponent > 63)
    return refuse('** with an exponent that is not a number', 'use a loop')
  return exponent === 0 ? '1' : `(${Array(exponent).fill(`(${left})`).join(' * ')})`
}

function assigned(expression: ArithmeticExpression, divisors: Divisors): string {
  if (divisors === refuseDivisor) refuse('an assignment that depends on a condition in arithmetic', 'use if')
  if (expression.type === 'ArithmeticWord' && NAME.test(expression.value)) return expression.value
  return refuse('an assignment in arithmetic to what is no plain variable', 'assign to a variable')
}
