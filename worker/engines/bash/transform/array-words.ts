import type { NodeOf, StatementNode, WordPart } from '../just-bash.ts'
import { assignArray, quotedParameter, single, word } from './nodes.ts'

type Expansion = Extract<WordPart, { type: 'ParameterExpansion' }>

/** How a part of a word stands in it: without quotes, as all of what is quoted, or beside others. */
export type Place = 'bare' | 'quoted' | 'beside'

const ELEMENTS = /^(?:[A-Za-z_]\w*\[[@*]\]|[@*])$/
const TRANSFORMS = new Set(['Q', 'U', 'L', 'u', 'E'])

/** Whether just-bash joins the elements of `${a[@]^^}` before it changes them. */
export function isJoined({ parameter, operation }: Expansion, place: Place): boolean {
  if (operation?.type === 'ArrayKeys') return place === 'beside'
  if (operation === null || !ELEMENTS.test(parameter)) return false
  switch (operation.type) {
    case 'CaseModification':
      return true
    case 'Transform':
      return place !== 'quoted' && TRANSFORMS.has(operation.operator)
    case 'Substring':
      return place === 'beside'
    case 'PatternRemoval':
    case 'PatternReplacement':
      return true
    default:
      return false
  }
}

/** Puts the changed elements into `array`, and gives what stands for the expansion then. */
export function elements(
  { parameter, operation }: Expansion,
  array: string,
  element: string,
): { before: StatementNode[]; part: Expansion } {
  const sign = parameter.includes('*') ? '*' : '@'
  const part: Expansion = { type: 'ParameterExpansion', parameter: `${array}[${sign}]`, operation: null }
  const every = parameter.replace(/\[\*\]$|^\*$/, (end) => end.replace('*', '@'))
  const quoted = (inner: Expansion) => word({ type: 'DoubleQuoted', parts: [inner] })
  if (operation?.type === 'ArrayKeys') {
    const keys = quoted({ type: 'ParameterExpansion', parameter, operation: { ...operation, star: false } })
    return { before: [single(assignArray(array, [keys], false))], part }
  }
  if (operation?.type === 'Substring') {
    const slice = quoted({ type: 'ParameterExpansion', parameter: every, operation })
    return { before: [single(assignArray(array, [slice], false))], part }
  }
  const changed = quoted({ type: 'ParameterExpansion', parameter: element, operation })
  const loop: NodeOf<'For'> = {
    type: 'For',
    variable: element,
    words: [quotedParameter(every)],
    body: [single(assignArray(array, [changed], true))],
    redirections: [],
  }
  return { before: [single(assignArray(array, [], false)), single(loop)], part }
}
