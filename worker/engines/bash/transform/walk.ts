import type { ScriptNode, SyntaxNode } from '../just-bash.ts'

/** Called for every node, children first. What it returns stands in the tree instead of the node. */
export type Visit = (node: SyntaxNode, inSubshell: boolean) => object

/** What runs in a subshell of its own. */
const SUBSHELLS = new Set(['Subshell', 'CommandSubstitution', 'ProcessSubstitution'])

/** Every object of a tree that has a type is a node: the parser makes no others. */
export function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
}

/** What is directly in an object of a tree: nodes, and lists of them. */
export const innerOf = (value: object): object[] =>
  Object.values(value).filter((inner) => typeof inner === 'object' && inner !== null)

/** Walks a tree that nothing else refers to, and changes it in place. */
export function walk(tree: ScriptNode, visit: Visit): object {
  return visitNode(tree, visit, false)
}

function visitNode(node: object, visit: Visit, inSubshell: boolean): object {
  const typed = isNode(node)
  const type = typed ? node.type : ''
  const inner = inSubshell || SUBSHELLS.has(type) || (typed && isLongPipeline(node))
  for (const [key, value] of Object.entries(node)) {
    if (Array.isArray(value)) {
      for (const [at, item] of value.entries())
        if (typeof item === 'object' && item !== null) value[at] = visitNode(item, visit, inner)
    } else if (typeof value === 'object' && value !== null)
      Reflect.set(node, key, visitNode(value, visit, inner))
  }
  return typed ? visit(node, inSubshell) : node
}

/** Whether its commands run in subshells. */
export function isLongPipeline(node: SyntaxNode): boolean {
  return node.type === 'Pipeline' && node.commands.length > 1
}

/** Takes the line numbers out of a tree. */
export function withoutLines(value: object): void {
  if (isNode(value) && 'line' in value) Reflect.deleteProperty(value, 'line')
  for (const inner of innerOf(value)) withoutLines(inner)
}

/**
 * Rewrites all texts of a tree in place.
 *
 * @param enter - called for each object before its texts. True: nothing in it is rewritten any more.
 */
export function rewriteTexts(
  value: object,
  rewrite: (text: string) => string,
  enter: (value: object) => boolean = () => false,
): void {
  if (enter(value)) return
  for (const [key, inner] of Object.entries(value)) {
    if (typeof inner === 'string') {
      const text = rewrite(inner)
      if (text !== inner) Reflect.set(value, key, text)
    } else if (typeof inner === 'object' && inner !== null) rewriteTexts(inner, rewrite, enter)
  }
}
