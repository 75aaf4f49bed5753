import { forEachChild, type SyntaxNode } from 'unbash'

/** A node and those around it. */
export interface Place {
  readonly node: SyntaxNode
  readonly outer: Place | undefined
}

/** Goes through a tree, children first, those of substitutions too. */
export function walk(node: SyntaxNode, visit: (place: Place) => void, outer?: Place): void {
  const place = { node, outer }
  forEachChild(node, (child) => walk(child, visit, place))
  visit(place)
}

/** Whether a node or one below it passes a test. */
export function some(node: SyntaxNode, test: (place: Place) => boolean, outer?: Place): boolean {
  const place = { node, outer }
  let found = false
  forEachChild(node, (child) => {
    found ||= some(child, test, place)
  })
  return found || test(place)
}

/** Whether a node is `$( )`, in a word or in arithmetic. */
export function isSubstitution({ type }: SyntaxNode): boolean {
  return type === 'CommandExpansion' || type === 'ArithmeticCommandExpansion'
}

/** Whether a node is one of several commands of a pipeline. */
export function isStage({ outer }: Place): boolean {
  return outer?.node.type === 'Pipeline' && outer.node.commands.length > 1
}

/** The nearest node around a place that is of one of these types. */
export function around<Type extends SyntaxNode['type']>(place: Place, ...types: readonly Type[]) {
  const isOne = (node: SyntaxNode): node is Extract<SyntaxNode, { readonly type: Type }> =>
    types.some((type) => node.type === type)
  for (let at = place.outer; at !== undefined; at = at.outer) if (isOne(at.node)) return at.node
  return undefined
}
