import type { WordPart } from '../just-bash.ts'

/**
 * `"${x+y}"` as the whole of a quoted word: under `set -u` just-bash calls `x` unbound there. An empty
 * part beside it takes another path.
 */
const OPERATIONS = new Set(['UseAlternative', 'DefaultValue'])

export function quotedAlternative(node: Extract<WordPart, { type: 'DoubleQuoted' }>): object {
  const { parts } = node
  const [part] = parts
  if (parts.length !== 1 || part?.type !== 'ParameterExpansion') return node
  if (!OPERATIONS.has(part.operation?.type ?? '') || /^[@*]$|\[[@*]\]/.test(part.parameter)) return node
  if (/\[[@*]\]|"parameter":"[@*]"/.test(JSON.stringify(part.operation))) return node
  return { ...node, parts: [part, { type: 'Literal', value: '' }] }
}
