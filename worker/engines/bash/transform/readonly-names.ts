import type { CommandNode, SimpleCommandNode, StatementNode, WordNode } from '../just-bash.ts'
import { assignedIn } from './arithmetic.ts'
import { endLine } from './discard.ts'
import { assignedBy } from './expansion-order.ts'
import { innerPath } from './inner-command.ts'
import { group, literal, plainText, simple, single } from './nodes.ts'

/** `__readonly name status`: says that the variable is readonly. */
export const READONLY = '__readonly'

/** The readonly variables of the shell that runs. */
export interface ReadonlyNames {
  current: ReadonlySet<string>
}

/** What a command assigns to, and what happens instead where one of the names is readonly. */
interface Refusal {
  readonly names: readonly string[]
  readonly instead: (name: string) => StatementNode[]
}

const DECLARES: ReadonlySet<string> = new Set(['declare', 'typeset', 'local', 'readonly', 'export'])
/** Instead of a name that `read` must not set. */
const NOWHERE = '__a0'

const told = (name: string, redirections: SimpleCommandNode['redirections'] = []): StatementNode =>
  single({ ...simple(innerPath(READONLY), literal(name)), redirections })

/** In bash an assignment to a readonly variable leaves the line that it is on, and a builtin that assigns fails alone. */
export function refusingReadonly(
  node: CommandNode,
  written: CommandNode,
  inSubshell: boolean,
  readonlyNames: ReadonlyNames,
): CommandNode {
  const { names, instead } = refusalOf(written, inSubshell)
  if (names.length === 0) return node
  const body = node.type === 'Group' && node.redirections.length === 0 ? node.body : [single(node)]
  const guarded = group([])
  Object.defineProperty(guarded, 'body', {
    enumerable: true,
    configurable: true,
    get: () => {
      const refused = names.find((name) => readonlyNames.current.has(name))
      return refused === undefined ? body : instead(refused)
    },
  })
  return guarded
}

const NOTHING: Refusal = { names: [], instead: () => [] }

function refusalOf(node: CommandNode, inSubshell: boolean): Refusal {
  const alone = (name: string) => [told(name)]
  switch (node.type) {
    case 'For':
      return { names: [node.variable], instead: alone }
    case 'ArithmeticCommand':
      return { names: assignedIn(node.expression.originalText ?? ''), instead: alone }
    case 'SimpleCommand':
      return ofSimple(node, inSubshell)
    default:
      return NOTHING
  }
}

function ofSimple(node: SimpleCommandNode, inSubshell: boolean): Refusal {
  const leave = (name: string) => [told(name, node.redirections), single(endLine(inSubshell))]
  const expanded = assignedBy([node])
  if (node.name === null) {
    const names = node.assignments.map(({ name }) => name.replace(/\[.*/s, ''))
    const instead = (name: string) => {
      const before = node.assignments.slice(0, Math.max(0, names.indexOf(name)))
      return [
        ...(before.length === 0 ? [] : [single({ ...node, assignments: before, redirections: [] })]),
        ...leave(name),
      ]
    }
    return { names: [...names, ...expanded], instead }
  }
  if (expanded.length > 0) return { names: expanded, instead: leave }
  const command = plainText(node.name) ?? ''
  const alone = (name: string) => [told(name)]
  if (DECLARES.has(command)) return ofDeclaration(node, command, leave)
  if (command === 'let')
    return { names: node.args.flatMap((arg) => assignedIn(beginOf(arg))), instead: alone }
  if (command === 'read') return ofRead(node)
  if (command === 'mapfile' || command === 'readarray') return { names: operands(node), instead: alone }
  if (command === 'getopts') return { names: operands(node).slice(1, 2), instead: alone }
  return NOTHING
}

function ofDeclaration(node: SimpleCommandNode, command: string, leave: Refusal['instead']): Refusal {
  const always = command === 'local' || node.args.some((arg) => /^\+\w*r/.test(beginOf(arg)))
  const named = (arg: WordNode) => {
    const [, name, assigns] = /^([A-Za-z_]\w*)(?:\[[^\]]*\])?(\+?=)?/.exec(beginOf(arg)) ?? []
    return name !== undefined && (always || assigns !== undefined) ? name : undefined
  }
  const names = node.args.map(named).filter((name) => name !== undefined)
  const instead = (name: string) => {
    if (node.args.some((arg) => named(arg) === name && /=\($/.test(beginOf(arg).slice(0, name.length + 3))))
      return leave(name)
    const others = node.args.filter((arg) => named(arg) !== name)
    const runs = others.some((arg) => /^\w/.test(beginOf(arg)))
    return [...(runs ? [single({ ...node, args: others })] : []), told(name)]
  }
  return { names, instead }
}

/** `read` sets the names before the readonly one. */
function ofRead(node: SimpleCommandNode): Refusal {
  const names = operands(node)
  const instead = (name: string) => {
    const from = node.args.findIndex((arg) => plainText(arg) === name)
    const args = node.args.map((arg, at) =>
      at >= from && names.includes(plainText(arg) ?? '') ? literal(NOWHERE) : arg,
    )
    return [single({ ...node, args }), told(name)]
  }
  return { names, instead }
}

const operands = ({ args }: SimpleCommandNode) =>
  args.map(plainText).filter((text): text is string => text !== undefined && /^[A-Za-z_]\w*$/.test(text))

/** What a word begins with, where that is written out. */
const beginOf = ({ parts: [first] }: WordNode): string => (first?.type === 'Literal' ? first.value : '')
