import type { ArithmeticExpression, WordPart } from 'unbash'
import { printsNumber } from '../numbers.ts'
import { refuse } from '../refusal.ts'
import type { Script } from '../script.ts'
import { givenByBash } from '../shell-variables.ts'
import { NAME } from '../words.ts'

type ArithmeticWord = Extract<ArithmeticExpression, { type: 'ArithmeticWord' }>

/** A name alone, or as an expansion. */
const OF_NAME = /^(?:\$\{?)?([A-Za-z_]\w*)\}?$/
const PLAIN = /^\$(?:\w+|\{\w+\})$/
const NUMBER = /^(?:0|[1-9]\d*|0[xX][\da-fA-F]+|0[0-7]+)$/

/** Looks at values before they are computed: the engine takes what is no number for one. */
export interface Values {
  /** Whether a variable has a plain number at a place in any case. */
  isPlain(name: string, at: number): boolean
  /** Has a value looked at: what a name stands for, a text that stands in the expression, or decimal digits. */
  look(kind: 'value' | 'text' | 'start' | 'digits', word: string): void
  /** Expands a text before. @returns the name of a variable that has it */
  expand(text: string): string
}

/**
 * An operand. The engine takes the value of a name for a number or 0, and that of `$name` for an expression, as bash does
 * of both; what was computed before in the same expression is a number that only the name stands for.
 *
 * @param given - variables that were computed before
 * @param isStart - it may be empty: what follows is a sign, or nothing
 */
export function operand(
  word: ArithmeticWord,
  script: Script,
  values: Values,
  given: ReadonlySet<string>,
  isStart: boolean,
): string {
  const { value, pos } = word
  const text = script.text(word)
  const [, named] = OF_NAME.exec(value) ?? []
  const number = named === undefined || given.has(named) ? undefined : givenByBash(named)
  // The engine takes `${x-1}` for 0.
  if (number !== undefined) return `$(printf '%s' "\${${named}-${number}}")`
  if (NAME.test(value)) {
    if (given.has(value)) return value
    if (!values.isPlain(value, pos)) values.look('value', `\${${value}-}`)
    return `($${value})`
  }
  if (/^\d+#.*\$/.test(value)) return based(value, values, pos)
  const parts = word.parts?.flatMap((part): readonly WordPart[] =>
    part.type === 'DoubleQuoted' ? part.parts : [part],
  )
  if (parts !== undefined) return expanded(word, parts, { script, values, isStart })
  if (/^\$[#?$!]$/.test(value)) return text
  if (PLAIN.test(value)) return ofVariable(value, pos, values, isStart)
  if (/^[1-9]\d{18,}$/.test(value)) return wrapped(BigInt(value))
  if (/^0[xX][\da-fA-F]{16,}$/.test(value)) return wrapped(BigInt(value))
  if (/^0[0-7]+$/.test(value)) return wrapped(BigInt(`0o${value.slice(1)}`))
  if (/^0\d/.test(value)) return refuse(`the octal number ${value}`, 'write it without the zero')
  const [, base, digits] = /^(\d+)#(\w+)$/.exec(value) ?? []
  if (base !== undefined && digits !== undefined) {
    const isOfBase = [...digits.toLowerCase()].every((digit) => Number.parseInt(digit, 36) < Number(base))
    const number = Number(base) <= 36 && isOfBase ? Number.parseInt(digits, Number(base)) : Number.NaN
    return Number.isSafeInteger(number)
      ? String(number)
      : refuse(`the number ${value}`, 'write it in base 10')
  }
  if (/\[/.test(text)) return refuse(`an array in arithmetic (${text})`, 'use plain variables')
  return NUMBER.test(value) ? text : refuse(`the operand '${value}' in arithmetic`, 'write numbers and names')
}

interface Context {
  readonly script: Script
  readonly values: Values
  readonly isStart: boolean
}

/** An operand of expansions. */
function expanded(word: ArithmeticWord, parts: readonly WordPart[], context: Context): string {
  const { script, values, isStart } = context
  const kind = isStart ? 'start' : 'text'
  const [part, ...others] = parts
  if (part === undefined || parts.some(({ type }) => type === 'SingleQuoted' || type === 'AnsiCQuoted'))
    return refuse(`the operand ${word.value} in arithmetic`, 'write numbers and names')
  if (others.length > 0) return composed(word, parts, context)
  const text = script.text(part)
  if (PLAIN.test(part.text)) return ofVariable(text, word.pos, values, isStart)
  if (part.type === 'SimpleExpansion') return text
  if (part.type === 'CommandExpansion') {
    if (part.script !== undefined && printsNumber(part.script)) return text
    return captured(text, kind, values)
  }
  if (part.type !== 'ParameterExpansion')
    return refuse(`the operand ${word.value} in arithmetic`, 'write numbers and names')
  // The engine takes these for 0.
  if (part.operation?.type === 'Default' && part.operation.operator.endsWith('='))
    refuse(`${part.text} in arithmetic`, 'assign before')
  if (part.prefix === '#') return `($(printf '%s' "${text}"))`
  return captured(`"${text}"`, kind, values)
}

/** The value of a variable as a text of the expression. */
function ofVariable(text: string, at: number, values: Values, isStart: boolean): string {
  const name = text.replaceAll(/[${}]/g, '')
  if (!values.isPlain(name, at))
    values.look(isStart ? 'start' : 'text', `\${${name}${isStart ? '-' : ':-e'}}`)
  return `(${text})`
}

/** An operand of several parts, such as `${x}0`. */
function composed(word: ArithmeticWord, parts: readonly WordPart[], { script, values }: Context): string {
  const isSimple = parts.every(
    (part) => PLAIN.test(part.text) || (part.type === 'Literal' && /^\w+$/.test(part.text)),
  )
  if (!isSimple) refuse(`the operand ${word.value} in arithmetic`, 'assign it to a variable first')
  const text = parts.map((part) => script.text(part)).join('')
  values.look('text', text)
  return `(${text})`
}

/** A text that is expanded once, before. */
export function captured(text: string, kind: 'text' | 'start', values: Values): string {
  const name = values.expand(text)
  values.look(kind, `\${${name}${kind === 'start' ? '-' : ':-e'}}`)
  return `($${name})`
}

/** A number of any size as one of 64 bits; the engine reads none that is larger than the largest. */
function wrapped(value: bigint): string {
  const number = BigInt.asIntN(64, value)
  return number < 0n ? `(-${-(number + 1n)} - 1)` : String(number)
}

/** `10#$x` is a decimal number whatever zeros it begins with. */
function based(value: string, values: Values, at: number): string {
  const [, base, name] = /^(\d+)#\$\{?(\w+)\}?$/.exec(value) ?? []
  if (base !== '10' || name === undefined) return refuse(`the number ${value}`, 'write it in base 10')
  if (!values.isPlain(name, at)) values.look('digits', `\${${name}-}`)
  return `($(printf '%s' "\${${name}}" | 'sed' 's/^0*//'))`
}
