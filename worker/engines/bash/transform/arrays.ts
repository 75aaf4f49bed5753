import type { SyntaxNode, WordNode } from '../just-bash.ts'
import { plainText } from './nodes.ts'
import type { Traits } from './traits.ts'

/** Builtins whose operands may become arrays. */
const MAKES_ARRAYS = new Set([
  'declare',
  'typeset',
  'local',
  'readonly',
  'export',
  'read',
  'mapfile',
  'readarray',
  'printf',
  'unset',
])

/** Names that may become arrays. */
export type ArrayNames = Pick<Traits, 'arrays'>

const NAME = /^[A-Za-z_][A-Za-z0-9_]*/

function addName(text: string, traits: ArrayNames): void {
  const name = NAME.exec(text)?.[0]
  if (name !== undefined && name !== 'PIPESTATUS') traits.arrays.add(name)
}

function firstText(word: WordNode): string {
  const [part] = word.parts
  return part?.type === 'Literal' ? part.value : ''
}

/** Notes names that a node may make arrays of. */
export function collectArrays(node: SyntaxNode, traits: ArrayNames): void {
  if (node.type === 'Assignment') {
    const { name, array } = node
    if (array !== null || name.includes('[')) addName(name, traits)
  } else if (
    node.type === 'ArithAssignment' &&
    (node.subscript !== undefined || node.stringKey !== undefined)
  )
    addName(node.variable, traits)
  else if (node.type === 'SimpleCommand') {
    const { name, args } = node
    const text = plainText(name)
    if (text === 'mapfile' || text === 'readarray') traits.arrays.add('MAPFILE')
    if (text !== undefined && MAKES_ARRAYS.has(text)) for (const arg of args) addName(firstText(arg), traits)
  }
}
