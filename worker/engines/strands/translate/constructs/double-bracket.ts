import type { TestExpression, Word } from 'unbash'
import { quoted } from '../../quoting.ts'
import { isPlain } from '../expressions.ts'
import { refuse } from '../refusal.ts'
import type { Place } from '../walk.ts'
import { literalOf, literalPart, oneWord, patternWord } from '../words.ts'
import type { Rule, Work } from '../work.ts'
import { unsetOperand } from './unset.ts'

const NUMBERS = new Set(['-eq', '-ne', '-lt', '-le', '-gt', '-ge'])
const FILES = new Set(['-nt', '-ot', '-ef'])

/** `[[ … ]]` as tests, patterns of `case` and `grep -E`. */
export const doubleBracket: Rule<'TestCommand'> = (node, work, place) => {
  work.script.compounded.add(node)
  work.script.replace(node, `{ ${testOf(node.expression, work, place)}; }`)
}

function testOf(expression: TestExpression, work: Work, place: Place): string {
  switch (expression.type) {
    case 'TestGroup':
      return `{ ${testOf(expression.expression, work, place)}; }`
    case 'TestNot':
      return expression.negations.length % 2 === 1
        ? `if ${testOf(expression.operand, work, place)}; then false; else true; fi`
        : testOf(expression.operand, work, place)
    case 'TestLogical':
      // With `set -e` the engine ends at a group that fails, also before `||`.
      return expression.operands
        .map((one, index) => (index === 0 ? '' : unsetOperand(one, work, place)) + testOf(one, work, place))
        .reduceRight((rest, one) =>
          expression.operator === '&&'
            ? `if ${one}; then ${rest}; else false; fi`
            : `if ${one}; then true; else ${rest}; fi`,
        )
    case 'TestUnary':
      return unary(expression.operator, expression.operand, work)
    case 'TestBinary':
      return binary(expression.operator, expression.left, expression.right, work)
  }
}

function unary(operator: string, operand: Word, { script }: Work): string {
  if (operator === '-v') {
    if (!/^\w+$/.test(operand.value)) refuse('[[ -v ]] of what is no plain variable', 'use [ -n "$name" ]')
    return `[ "\${${operand.value}+set}" = set ]`
  }
  if (operator === '-o' || operator === '-R') refuse(`[[ ${operator} ]]`)
  return `[ ${operator} ${oneWord(operand, script)} ]`
}

function binary(operator: string, left: Word, right: Word, work: Work): string {
  const { script } = work
  const one = oneWord(left, script)
  if (NUMBERS.has(operator)) return comparison(operator, left, right, work)
  if (FILES.has(operator)) return `[ ${one} ${operator} ${oneWord(right, script)} ]`
  if (operator === '=~') {
    const own = literalOf(right) !== undefined && isPlain(right.text, true)
    return `__ssr_regex ${one} ${regex(right, work)} ${own ? "'grep'" : `'${work.program('grep')}'`}`
  }
  if (operator === '<' || operator === '>')
    return `__ssr_order ${one} '${operator}' ${oneWord(right, script)}`
  const [yes, no] = operator === '!=' ? ['false', 'true'] : ['true', 'false']
  if (isQuoted(right)) return `[ x${one} ${operator === '!=' ? '!=' : '='} x${oneWord(right, script)} ]`
  return `case ${one} in ${patternWord(right, script) || "''"}) ${yes} ;; *) ${no} ;; esac`
}

/** Whether a word is one text in quotes: it is compared, not matched. */
function isQuoted({ parts }: Word): boolean {
  return parts?.every(({ type }) => type === 'DoubleQuoted' || type === 'SingleQuoted') === true
}

/** Operands of comparisons are arithmetic: what is no plain number is computed by a program. */
function comparison(operator: string, left: Word, right: Word, work: Work): string {
  const operands = [left, right].map((word) => oneWord(word, work.script))
  if ([left, right].every(isNumber)) return `[ ${left.value} ${operator} ${right.value} ]`
  const [one = '', other = ''] = operands
  const both = [left, right].flatMap((word, index) => (isNumber(word) ? [] : [operands[index]]))
  return (
    `case ${both.join('/')} in *[!0-9/]*|0?*|*/0?*|/*|*/|''|*???????????????????*) { ${work.program('__compare')} x${one} ${operator} x${other}; } < /dev/null ;; ` +
    `*) '[' ${one} ${operator} ${other} ']' ;; esac`
  )
}

function isNumber({ parts, value }: Word): boolean {
  return parts === undefined && /^(?:0|-?[1-9]\d{0,17})$/.test(value)
}

/** Quoted parts of a regular expression are literal. */
function regex(word: Word, { script }: Work): string {
  const all = word.parts ?? [literalPart(word)]
  const parts = all.map((part) => {
    if (part.type === 'SingleQuoted' || part.type === 'AnsiCQuoted') return quoted(escaped(part.value))
    if (part.type !== 'DoubleQuoted') return undefined
    const inside = part.parts.every(({ type }) => type === 'Literal')
    return inside
      ? quoted(escaped(part.parts.map((one) => ('value' in one ? one.value : '')).join('')))
      : refuse('a quoted variable in [[ =~ ]]', 'use it without quotes')
  })
  return all
    .map((part, index) => {
      const literal = parts[index]
      if (literal !== undefined) return literal
      return part.type === 'SimpleExpansion' ||
        part.type === 'ParameterExpansion' ||
        part.type === 'CommandExpansion'
        ? `"${script.text(part)}"`
        : quoted(part.text)
    })
    .join('')
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}
