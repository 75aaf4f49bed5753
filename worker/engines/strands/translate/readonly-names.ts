import type { Command, SyntaxNode } from 'unbash'
import { nameOf } from './facts.ts'
import { refuse } from './refusal.ts'
import type { Range } from './script.ts'
import type { SessionFacts } from './translation.ts'
import { type Place, walk } from './walk.ts'
import { literalOf, NAME } from './words.ts'

const ASSIGNING = /^(?:=|[-+*/%&|^]=|<<=|>>=)$/

/** A place where a variable is made readonly, or is changed. */
interface Change {
  readonly name: string
  readonly pos: number
  /** The function around it. */
  readonly owner: SyntaxNode | undefined
  readonly loops: readonly Range[]
  /** It is readonly in this function alone. */
  readonly isLocal?: boolean
}

/** Names of variables that a script may make readonly for the session. */
export function readonlyNames(nodes: readonly SyntaxNode[], source: string): readonly string[] {
  if (!source.includes('readonly')) return []
  return made(nodes).flatMap(({ name, isLocal }) => (isLocal === true ? [] : [name]))
}

/** The engine goes on with the old value where a script assigns to a readonly variable: such scripts are refused. */
export function refuseReadonly(nodes: readonly SyntaxNode[], source: string, session: SessionFacts): void {
  const places = /\breadonly\b|\blocal\s+-\w*r/.test(source) ? made(nodes) : []
  if (places.length === 0 && session.readonly.size === 0) return
  for (const node of nodes) {
    walk(node, (place) => {
      for (const name of changedBy(place, session)) {
        const change = { name, pos: place.node.pos, ...around(place) }
        if (session.readonly.has(name) || places.some((one) => isBefore(one, change)))
          refuse(`a change of the readonly variable ${name}`, 'use another name')
      }
    })
  }
}

/** Whether a variable may be readonly where it is changed. */
function isBefore(made: Change, change: Change): boolean {
  if (made.name !== change.name) return false
  if (made.isLocal === true && made.owner !== change.owner) return false
  if (made.owner !== change.owner && change.owner !== undefined) return true
  return made.pos < change.pos || made.loops.some((one) => change.loops.includes(one))
}

function made(nodes: readonly SyntaxNode[]): readonly Change[] {
  const found: Change[] = []
  for (const node of nodes) {
    walk(node, (place) => {
      if (place.node.type !== 'Command' || !isMaking(place.node)) return
      const isLocal = nameOf(place.node) === 'local'
      for (const name of namesIn(place.node))
        found.push({ name, pos: place.node.end, ...around(place), isLocal })
    })
  }
  return found
}

/** Whether a command makes variables readonly. */
function isMaking(command: Command): boolean {
  const name = nameOf(command)
  return (
    name === 'readonly' ||
    (name === 'local' && command.args.some(({ text }) => /^-[a-z]*r[a-z]*$/.test(text)))
  )
}

function namesIn({ args }: Command): readonly string[] {
  return args
    .map((arg) => (arg.type === 'Assignment' ? arg.name : (literalOf(arg) ?? '')))
    .filter((name) => NAME.test(name))
}

/** Names of the variables that a node itself changes. */
function changedBy({ node, outer }: Place, session: SessionFacts): readonly string[] {
  switch (node.type) {
    case 'Assignment':
      return outer?.node.type === 'Command' && isArgument(node, outer.node) && isMaking(outer.node)
        ? []
        : [node.name]
    case 'For':
      return [literalOf(node.name) ?? '']
    case 'ArithmeticBinary':
      return ASSIGNING.test(node.operator) && node.left.type === 'ArithmeticWord' ? [node.left.value] : []
    case 'ArithmeticUnary':
      return /\+\+|--/.test(node.operator) && node.operand.type === 'ArithmeticWord'
        ? [node.operand.value]
        : []
    case 'ParameterExpansion':
      return node.operation?.type === 'Default' && node.operation.operator.includes('=')
        ? [node.parameter]
        : []
    case 'Command': {
      const name = nameOf(node)
      if (name === 'read' || name === 'unset' || name === 'getopts') return namesIn(node)
      return name === undefined ? [] : [...(session.functions.get(name)?.names ?? [])]
    }
    default:
      return []
  }
}

function isArgument({ pos }: SyntaxNode, { name }: Command): boolean {
  return name !== undefined && pos > name.pos
}

function around(place: Place): Pick<Change, 'owner' | 'loops'> {
  const loops: Range[] = []
  for (let at = place.outer; at !== undefined; at = at.outer) {
    if (at.node.type === 'Function') return { owner: at.node, loops }
    if (at.node.type === 'For' || at.node.type === 'While' || at.node.type === 'ArithmeticFor')
      loops.push(at.node)
  }
  return { owner: undefined, loops }
}
