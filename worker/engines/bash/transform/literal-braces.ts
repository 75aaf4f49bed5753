import type { NodeOf, WordNode, WordPart } from '../just-bash.ts'
import { isNode } from './walk.ts'

/** `case {a,b} in`, `[[ {a,b} == x ]]`, `<<< {a,b}`: braces are characters there, which just-bash expands. */
export function literalBraces(node: NodeOf<'Case' | 'ConditionalCommand'>): void {
  if (node.type === 'ConditionalCommand') {
    inside(node.expression)
    return
  }
  node.word = literalWord(node.word)
  for (const item of node.items) item.patterns = item.patterns.map(literalWord)
}

function inside(value: object): void {
  for (const [key, inner] of Object.entries(value)) {
    if (typeof inner !== 'object' || inner === null) continue
    if (isNode(inner) && inner.type === 'Word') Reflect.set(value, key, literalWord(inner))
    else inside(inner)
  }
}

/** A word whose braces are characters. */
export const literalWord = (word: WordNode): WordNode =>
  word.parts.some(({ type }) => type === 'BraceExpansion')
    ? { ...word, parts: word.parts.flatMap(literalPart) }
    : word

function literalPart(part: WordPart): WordPart[] {
  if (part.type !== 'BraceExpansion') return [part]
  const items = part.items.map((item): WordPart[] => {
    if (item.type === 'Word') return item.word.parts.flatMap(literalPart)
    const step = item.step === undefined ? '' : `..${item.step}`
    return [text(`${item.startStr ?? item.start}..${item.endStr ?? item.end}${step}`)]
  })
  return [text('{'), ...items.flatMap((parts, at) => (at === 0 ? parts : [text(','), ...parts])), text('}')]
}

const text = (value: string): WordPart => ({ type: 'Literal', value })
