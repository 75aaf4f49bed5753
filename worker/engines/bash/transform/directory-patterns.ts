import type { StatementNode, WordNode } from '../just-bash.ts'
import { innerPath } from './inner-command.ts'
import { type Evaluated, evaluatesLater } from './lazy-eval.ts'
import { group, literal, simple, single, singleQuoted, word } from './nodes.ts'

/** `__directories array pattern words…`: has the directories among the words assigned to the array, each with a slash. */
export const DIRECTORIES = '__directories'

/** A word without its slash at the end, and what is behind the last other slash; undefined where it is no pattern of directories. */
function patternOf({ parts }: WordNode): { word: WordNode; last: string } | undefined {
  const end = parts.at(-1)
  if (end?.type !== 'Literal' || !end.value.endsWith('/') || !parts.some(({ type }) => type === 'Glob'))
    return undefined
  const value = end.value.replace(/\/+$/, '')
  const rest = [...parts.slice(0, -1), ...(value === '' ? [] : [{ ...end, value }])]
  const texts = rest.map((part) => {
    if (part.type === 'Glob') return part.pattern
    return part.type === 'Literal' ? part.value : ''
  })
  return { word: word(...rest), last: texts.join('').replace(/^.*\//s, '') }
}

/** A pattern that ends with a slash: just-bash gives files as well, and leaves the slash out. Gives what must come before, and the word instead. */
export function directoriesOf(
  written: WordNode,
  name: () => string,
  evaluated: Evaluated,
): { before: StatementNode[]; word: WordNode } | undefined {
  const pattern = patternOf(written)
  if (pattern === undefined) return undefined
  const array = name()
  const fill = simple(innerPath(DIRECTORIES), literal(array), singleQuoted(pattern.last), pattern.word)
  const all = { type: 'ParameterExpansion' as const, parameter: `${array}[@]`, operation: null }
  return {
    before: [single(fill), single(evaluatesLater(group([]), evaluated))],
    word: word({ type: 'DoubleQuoted', parts: [all] }),
  }
}
