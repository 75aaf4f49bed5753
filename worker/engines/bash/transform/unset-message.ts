import type { WordPart } from '../just-bash.ts'
import { word } from './nodes.ts'

type Expansion = Extract<WordPart, { type: 'ParameterExpansion' }>

/** `${name:?message}`: what is told begins with the name, and just-bash tells the message alone, or nothing. */
export function namedIfUnset(node: Expansion): Expansion {
  const { parameter, operation } = node
  if (operation?.type !== 'ErrorIfUnset') return node
  const usual = operation.checkEmpty ? 'parameter null or not set' : 'parameter not set'
  const parts = operation.word?.parts ?? []
  const isEmpty = parts.every((part) => part.type === 'Literal' && part.value === '')
  const message = isEmpty ? [{ type: 'Literal' as const, value: usual }] : parts
  const told = word({ type: 'Literal', value: `${parameter}: ` }, ...message)
  return { ...node, operation: { ...operation, word: told } }
}
