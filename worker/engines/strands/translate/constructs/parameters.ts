import type { ParameterExpansionPart, SyntaxNode } from 'unbash'
import { quoted } from '../../quoting.ts'
import { refuse } from '../refusal.ts'
import type { Script } from '../script.ts'
import { givenByBash } from '../shell-variables.ts'
import { around, type Place } from '../walk.ts'
import { isMisread, oneWord, removedPattern } from '../words.ts'
import type { Rule, Work } from '../work.ts'
import { arithmeticText } from './arithmetic-text.ts'
import { expansionOf, ZERO } from './shell-variables.ts'

const NAME = /^(?:[A-Za-z_]\w*|\d+)$/
/** Variables of bash that are arrays, whose first element is that of their name. */
const ARRAYS: ReadonlySet<string> = new Set(['BASH_SOURCE', 'FUNCNAME'])

/** `${x:1}`, `${x/a/b}`, `${x^^}` and the like are computed by a program; `${#x}` by a function. */
export const parameter: Rule<'ParameterExpansion'> = (node, work, place) => {
  const { prefix, index, operation } = node
  const name = nameIn(node, work)
  const isWhole = prefix === undefined && operation === undefined
  const isFirst = index?.text === '0' && ARRAYS.has(name)
  const isDefault = prefix === undefined && operation?.type === 'Default'
  if ((isWhole && index === undefined) || (isFirst && (isWhole || isDefault))) {
    const given = expansionOf(name, place, work)
    if (given !== undefined) {
      work.script.replace(node, given)
      return
    }
  }
  if (index !== undefined) refuse(`an array (${node.text})`, 'use plain variables and "$@"')
  if (prefix === '!') refuse(node.text, 'use eval')
  if (/^\d\d/.test(name)) {
    if (!isWhole || isComputed(place) || work.facts.nounset) refuse(node.text, 'use shift')
    work.script.replace(node, `$(__ssr_argument ${name} "$@")`)
    return
  }
  if (operation === undefined) {
    if (prefix === '#' && /^[@*]$/.test(name)) work.script.replace(node, '$#')
    else if (prefix === '#' && NAME.test(name)) work.script.replace(node, `$(__ssr_length "\${${name}-}")`)
    return
  }
  if (operation.type === 'Default') {
    const { pos, text } = operation.operand
    if (/^~(?:\/|$)/.test(text) && around(place, 'DoubleQuoted', 'HereDoc') === undefined)
      work.script.replace({ pos, end: pos + 1 }, '$HOME')
    return
  }
  // It refuses those of which nothing is known.
  givenByBash(name)
  if (operation.type === 'Remove') {
    if (/^[@*]$/.test(name)) refuse(node.text, 'use for x in "$@"')
    const { operand } = operation
    if (isMisread(operand) || /["']/.test(operand.text))
      work.script.replace(operand, removedPattern(operand, work.script, work.hoist))
    return
  }
  if (prefix === '#' || !NAME.test(name)) refuse(node.text, 'use shift and "$@"')
  const value = `"\${${name}-}"`
  if (isComputed(place)) refuse(`${node.text} in arithmetic`, 'assign it to a variable first')
  switch (operation.type) {
    case 'Slice': {
      const offset = arithmeticText(operation.offset, work, place)
      const length = operation.length === undefined ? '' : ` ${arithmeticText(operation.length, work, place)}`
      return work.script.replace(node, `$(${work.program('__expand')} slice ${value} ${offset}${length})`)
    }
    case 'Replace': {
      const pattern = patternArguments(operation.pattern, work)
      if (/(?<!\\)&/.test(operation.replacement.text)) refuse(`& in ${node.text}`, 'use sed')
      const replacement = replacementText(node, work.script)
      return work.script.replace(
        node,
        `$(${work.program('__expand')} replace ${value} '${operation.operator}' ${replacement} ${pattern})`,
      )
    }
    case 'CaseModification':
      if (operation.operand !== undefined && operation.operand.text !== '') refuse(node.text, 'use tr or sed')
      return work.script.replace(node, `$(${work.program('__expand')} case ${value} '${operation.operator}')`)
    default:
      refuse(node.text)
  }
}

function isComputed(place: Place): boolean {
  const found = around(place, 'ArithmeticExpansion', 'ArithmeticCommand', 'ArithmeticFor')
  return found !== undefined && (found.type !== 'ArithmeticFor' || place.node.pos < found.body.pos)
}

/** The name of the variable; that of our own where `$0` is not the engine's. */
function nameIn(
  { parameter: name, pos, text }: ParameterExpansionPart,
  { script, options, hoist }: Work,
): string {
  if (name !== '0' || (options.zero === undefined && options.isInner !== true)) return name
  const at = pos + text.indexOf('0')
  script.replace({ pos: at, end: at + 1 }, ZERO)
  if (options.zero !== undefined) hoist(`${ZERO}=${quoted(options.zero)}`)
  return ZERO
}

/** A pattern in parts: each says whether it is literal. */
function patternArguments(pattern: SyntaxNode, { script }: Work): string {
  if (pattern.type !== 'Word') return ''
  const parts = pattern.parts ?? [
    {
      type: 'Literal' as const,
      pos: pattern.pos,
      end: pattern.end,
      text: pattern.text,
      value: pattern.value,
    },
  ]
  return parts
    .map((part) => {
      if (part.type === 'Literal' || part.type === 'SingleQuoted' || part.type === 'AnsiCQuoted')
        return `l ${quoted(part.value)}`
      if (part.type === 'Glob' && !/(?<!\\)["']/.test(part.text)) return `p ${quoted(part.text)}`
      if (part.type === 'DoubleQuoted') return `l ${script.text(part)}`
      if (
        part.type === 'SimpleExpansion' ||
        part.type === 'ParameterExpansion' ||
        part.type === 'CommandExpansion'
      )
        return `p "${script.text(part)}"`
      return refuse(`the pattern ${pattern.text}`, 'use sed')
    })
    .join(' ')
}

function replacementText({ operation, text }: ParameterExpansionPart, script: Script): string {
  if (operation?.type !== 'Replace') return refuse(text)
  return operation.replacement.text === '' ? "''" : oneWord(operation.replacement, script)
}
