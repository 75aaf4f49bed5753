import type { ArithmeticExpression } from 'unbash'
import { isNumber } from '../facts.ts'
import { refuse } from '../refusal.ts'
import type { Script } from '../script.ts'

const ASSIGNING = /^(?:[-+*/%&|^]|<<|>>)?=$/
const NAME = /^[A-Za-z_]\w*$/

/** Hears of each divisor that may be 0. */
export type Divisors = (divisor: string) => void
type Inner = (one: ArithmeticExpression) => string

const refuseDivisor: Divisors = () =>
  refuse('a division that depends on a condition', 'divide in a command of its own')

/** An arithmetic expression in what the engine computes as bash does. */
export function arithmetic(expression: ArithmeticExpression, script: Script, divisors: Divisors): string {
  const inner = (one: ArithmeticExpression) => arithmetic(one, script, divisors)
  const maybe = (one: ArithmeticExpression) => arithmetic(one, script, refuseDivisor)
  switch (expression.type) {
    case 'ArithmeticGroup':
      return `(${inner(expression.expression)})`
    case 'ArithmeticCommandExpansion':
      return script.text(expression)
    case 'ArithmeticWord':
      return operand(expression.value, script.text(expression))
    case 'ArithmeticTernary': {
      // The engine loses its way in brackets around a condition.
      const test = maybe(expression.test)
      return `(((${test}) != 0) * (${maybe(expression.consequent)}) + ((${test}) == 0) * (${maybe(expression.alternate)}))`
    }
    case 'ArithmeticUnary':
      return unary(expression, inner, divisors)
    case 'ArithmeticBinary':
      return binary(
        expression,
        inner,
        expression.operator === '&&' || expression.operator === '||' ? maybe : inner,
        divisors,
      )
  }
}

function operand(value: string, text: string): string {
  if (/^[1-9]\d{18,}$/.test(value)) return wrapped(BigInt(value))
  if (/^0[xX][\da-fA-F]{16,}$/.test(value)) return wrapped(BigInt(value))
  if (/^0[0-7]+$/.test(value)) return wrapped(BigInt(`0o${value.slice(1)}`))
  if (/^0\d/.test(value)) return refuse(`the octal number ${value}`, 'write it without the zero')
  const [, base, digits] = /^(\d+)#(\w+)$/.exec(value) ?? []
  if (base !== undefined && digits !== undefined) {
    const number = Number(base) <= 36 ? Number.parseInt(digits, Number(base)) : Number.NaN
    return Number.isNaN(number) ? refuse(`the number ${value}`, 'write it in base 10') : String(number)
  }
  if (/\[/.test(text) && !/^\$/.test(text))
    return refuse(`an array in arithmetic (${text})`, 'use plain variables')
  return text
}

/** A number of any size as one of 64 bits; the engine reads none that is larger than the largest. */
function wrapped(value: bigint): string {
  const number = BigInt.asIntN(64, value)
  return number < 0n ? `(-${-(number + 1n)} - 1)` : String(number)
}

type Unary = Extract<ArithmeticExpression, { type: 'ArithmeticUnary' }>
type Binary = Extract<ArithmeticExpression, { type: 'ArithmeticBinary' }>

function unary({ operator, operand: one, prefix }: Unary, inner: Inner, divisors: Divisors): string {
  if (operator !== '++' && operator !== '--') return `${operator}(${inner(one)})`
  const name = assigned(one, divisors)
  const [sign, back] = operator === '++' ? ['+', '-'] : ['-', '+']
  const changed = `(${name} = ${name} ${sign} 1)`
  return prefix ? changed : `(${changed} ${back} 1)`
}

function binary({ operator, left, right }: Binary, inner: Inner, last: Inner, divisors: Divisors): string {
  if (ASSIGNING.test(operator)) {
    const name = assigned(left, divisors)
    const value =
      operator === '=' ? inner(right) : computed(operator.slice(0, -1), name, right, inner, divisors)
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
