import type { WordPart } from '../just-bash.ts'
import { word } from './nodes.ts'

type Expansion = Extract<WordPart, { type: 'ParameterExpansion' }>

/**
 * `${x-"a b"}`: where all of its word is quoted, just-bash splits the value of `x` no more. Something empty beside the quotes has it split
 * again, and matched with files: a pattern in quotes is left alone. `${x="a b"}` is split however it is quoted.
 */
export function splitBesideQuotes(node: Expansion): Expansion {
  const { operation } = node
  if (operation?.type !== 'DefaultValue' && operation?.type !== 'AssignDefault') return node
  const parts = operation.word?.parts ?? []
  const quoted = parts.every((part) => part.type === 'SingleQuoted' || part.type === 'DoubleQuoted')
  if (parts.length === 0 || !quoted || /[*?[]/.test(parts.flatMap(textsOf).join(''))) return node
  const beside = operation.type === 'AssignDefault' ? parts.flatMap(unquoted) : parts
  return { ...node, operation: { ...operation, word: word(...beside, { type: 'Literal', value: '' }) } }
}

function unquoted(part: WordPart): WordPart[] {
  if (part.type === 'SingleQuoted') return [{ type: 'Literal', value: part.value }]
  return part.type === 'DoubleQuoted' ? part.parts : [part]
}

const textsOf = (part: WordPart): string[] =>
  unquoted(part).map((inner) => (inner.type === 'Literal' ? inner.value : ''))
