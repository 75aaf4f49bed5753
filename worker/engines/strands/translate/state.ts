import type { Assignment, SyntaxNode } from 'unbash'
import { type Facts, nameOf, type State } from './facts.ts'
import { isSubstitution, type Place, some, walk } from './walk.ts'
import { literalOf, NAME } from './words.ts'

/** Commands that change more of a shell than variables, or leave what they stand in. */
const CHANGING: ReadonlySet<string> = new Set(
  '. alias cd eval exec exit export getopts readonly return set shift source trap umask unalias unset wait'.split(
    ' ',
  ),
)

/** What the commands below a node change in the shell that runs them. */
export function stateOf(node: SyntaxNode, facts: Facts, seen: Set<SyntaxNode> = new Set()): State {
  const names = new Set<string>()
  let other: string | undefined
  if (seen.has(node)) return { names, other }
  seen.add(node)
  walk(node, (place) => {
    if (isApart(place, node)) return
    const one = place.node
    if (one.type === 'Assignment') names.add(one.name)
    if (one.type === 'For') names.add(literalOf(one.name) ?? '')
    if (one.type === 'ArithmeticBinary' && /^(?:=|[-+*/%&|^]=|<<=|>>=)$/.test(one.operator))
      addWord(one.left, names)
    if (one.type === 'ArithmeticUnary' && /\+\+|--/.test(one.operator)) addWord(one.operand, names)
    if (
      one.type === 'ParameterExpansion' &&
      one.operation?.type === 'Default' &&
      one.operation.operator.includes('=')
    )
      names.add(one.parameter)
    if (one.type === 'Function') other ??= 'the definition of a function'
    if (one.type !== 'Command') return
    const name = nameOf(one)
    if (name === undefined) return
    if (name === 'read') for (const word of one.args) if (NAME.test(word.text)) names.add(word.text)
    if (name === 'break' || name === 'continue') {
      if (one.args.length > 0 || !isInLoop(place, node)) other ??= name
    } else if (CHANGING.has(name)) other ??= name
    const body = facts.bodies.get(name)
    if (body === undefined) {
      const known = facts.known.get(name)
      for (const changed of known?.names ?? []) names.add(changed)
      other ??= known?.other
      return
    }
    const called = stateOf(body, facts, seen)
    for (const changed of called.names) if (!isLocal(body, changed)) names.add(changed)
    if (called.other !== 'return') other ??= called.other
  })
  names.delete('')
  return { names, other }
}

/** Whether a place is in a shell of its own below a node; what a command assigns for itself is gone after it, too. */
function isApart(place: Place, top: SyntaxNode): boolean {
  if (place.node === top) return false
  const outer = place.outer?.node
  if (
    place.node.type === 'Assignment' &&
    outer?.type === 'Command' &&
    outer.name !== undefined &&
    isPrefix(place.node, outer)
  )
    return true
  let inner = place.node
  for (let at = place.outer; at !== undefined; at = at.outer) {
    const { node } = at
    if (node.type === 'Subshell' || isSubstitution(node)) return true
    if (node.type === 'Pipeline' && node.commands.length > 1 && inner.type !== 'Negation') return true
    if (node.type === 'Statement' && node.background === true) return true
    if (node.type === 'Function' && node !== top) return true
    if (node === top) return false
    inner = node
  }
  return false
}

function isPrefix(
  one: Assignment,
  { pos, name }: { readonly pos: number; readonly name: { readonly pos: number } | undefined },
) {
  return name !== undefined && one.pos >= pos && one.pos < name.pos
}

function isInLoop(place: Place, top: SyntaxNode): boolean {
  for (let at = place.outer; at !== undefined; at = at.outer) {
    if (at.node.type === 'For' || at.node.type === 'While' || at.node.type === 'ArithmeticFor') return true
    if (at.node === top) return false
  }
  return false
}

function addWord(node: SyntaxNode, names: Set<string>): void {
  if (node.type === 'ArithmeticWord') names.add(node.value.replace(/^\$/, ''))
}

function isLocal(body: SyntaxNode, name: string): boolean {
  return some(
    body,
    ({ node }) =>
      node.type === 'Command' &&
      nameOf(node) === 'local' &&
      node.args.some((arg) => (arg.type === 'Assignment' ? arg.name : arg.text) === name),
  )
}
