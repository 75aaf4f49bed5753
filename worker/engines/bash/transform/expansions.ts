import type { WordNode, WordPart } from '../just-bash.ts'
import { word } from './nodes.ts'

type Expansion = Extract<WordPart, { type: 'ParameterExpansion' }>

/** A variable that no script sets: `${__unset:-text}` is the text, and counts as a pattern. */
const UNSET = '__unset'

/** `${x//[$c]/}`: just-bash takes a bracket for itself where an expansion stands in it. It becomes one expansion. */
export function bracketPatterns(node: Expansion): Expansion {
  const { operation } = node
  if (operation === null || !('pattern' in operation)) return node
  const { pattern } = operation
  if (pattern !== null && pattern !== undefined) pattern.parts = joined(pattern.parts)
  return node
}

/** `${#@}` is `$#`: just-bash counts the characters. */
export function numberOfWords(node: Expansion): Expansion {
  const isNumber = node.operation?.type === 'Length' && /^[@*]$/.test(node.parameter)
  return isNumber ? { ...node, parameter: '#', operation: null } : node
}

function joined(parts: readonly WordPart[]): WordPart[] {
  const from = parts.findIndex((part) => part.type === 'Glob' && part.pattern.endsWith('['))
  const to = parts.findIndex((part, at) => at > from && closingIn(part) >= 0)
  const [start, end] = [parts[from], parts[to]]
  if (start?.type !== 'Glob' || end?.type !== 'Literal') return [...parts]
  const before = start.pattern.slice(0, -1)
  const close = closingIn(end) + 1
  const bracket = word({ type: 'Literal', value: '[' }, ...parts.slice(from + 1, to), {
    type: 'Literal',
    value: end.value.slice(0, close),
  })
  const rest = end.value.slice(close)
  return [
    ...parts.slice(0, from),
    ...(before === '' ? [] : [{ ...start, pattern: before }]),
    {
      type: 'ParameterExpansion',
      parameter: UNSET,
      operation: { type: 'DefaultValue', word: bracket, checkEmpty: true },
    },
    ...(rest === '' ? [] : [{ type: 'Literal' as const, value: rest }]),
    ...joined(parts.slice(to + 1)),
  ]
}

const closingIn = (part: WordPart) => (part.type === 'Literal' ? part.value.indexOf(']') : -1)

/** `unset map["$key"]`: just-bash splits what is quoted there. The bracket becomes a literal one where it holds a quoted text alone. */
export function quotedKey(node: WordNode): WordNode {
  const { parts } = node
  const from = parts.findIndex((part) => part.type === 'Glob')
  const [open, key, close] = parts.slice(from)
  const isKey =
    open?.type === 'Glob' &&
    open.pattern === '[' &&
    key?.type === 'DoubleQuoted' &&
    close?.type === 'Literal' &&
    close.value.startsWith(']') &&
    !parts.slice(from + 1).some((part) => part.type === 'Glob') &&
    !isList(parts[0])
  if (!isKey) return node
  return { ...node, parts: parts.with(from, { type: 'Literal', value: '[' }) }
}

/** The first part of `m=(["a b"]=c)`, which is a word of `declare`. */
const isList = (part: WordPart | undefined) => part?.type === 'Literal' && part.value.includes('=(')
