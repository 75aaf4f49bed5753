import type { CommandNode, PipelineNode, SimpleCommandNode, StatementNode, SyntaxNode } from '../just-bash.ts'
import { group, literal, pipeline, plainText, simple, single, soleCommand, statement } from './nodes.ts'
import { innerOf, isNode } from './walk.ts'

type Redirection = SimpleCommandNode['redirections'][number]

/** `2>&1`. A node of its own each time: trees are changed in place. */
const merge = (): Redirection => ({ type: 'Redirection', operator: '>&', fd: 2, target: literal('1') })

export const isMerge = ({ operator, fd, target }: Redirection): boolean =>
  operator === '>&' && fd === 2 && target.type === 'Word' && plainText(target) === '1'

/**
 * `{ a; b; } 2>&1` as `{ { a; } 2>&1; { b; } 2>&1; }`, in place, and so in loops and conditions: just-bash puts all errors of a group behind all
 * of its output.
 */
export function mergeAtOnce(value: object): void {
  if (isNode(value)) {
    if (value.type === 'Script') mergeBehindExec(value.statements)
    else if (value.type === 'Subshell') mergeBehindExec(value.body)
    distribute(value)
  }
  for (const inner of innerOf(value)) mergeAtOnce(inner)
}

/** Whether it sends the errors of the shell itself to its output. */
export const mergesErrors = (node: SyntaxNode): boolean =>
  node.type === 'SimpleCommand' &&
  plainText(node.name) === 'exec' &&
  node.args.length === 0 &&
  node.redirections.some(isMerge)

/** `exec 2>&1` and the statements behind it as statements with `2>&1`: the errors of a pipeline would be in its pipes. */
function mergeBehindExec(statements: StatementNode[]): void {
  const at = statements.findIndex(isMergeAlone)
  if (at < 0) return
  const rest = statements.splice(at).slice(1)
  mergeBehindExec(rest)
  statements.push(...(rest.length === 0 ? [single(simple(':'))] : rest.map(merged)))
}

function isMergeAlone(node: StatementNode): boolean {
  const command = soleCommand(node)
  return command?.type === 'SimpleCommand' && mergesErrors(command) && command.redirections.length === 1
}

function distribute(node: SyntaxNode): void {
  const lists = bodiesOf(node)
  if (lists === undefined || !('redirections' in node) || !node.redirections.some(isMerge)) return
  const at = node.redirections.findIndex(isMerge)
  // What stands behind it sends standard output elsewhere, and leaves the errors where they are.
  if (at !== node.redirections.length - 1) return
  if (node.type === 'Group' && node.body.length === 1 && node.body.every(isWhole)) return
  node.redirections.splice(at)
  for (const list of lists) for (const [index, one] of list.entries()) list[index] = merged(one)
}

/** Whether a statement gets a group of its own for its errors. */
const isWhole = ({ pipelines: [only, ...more], background }: StatementNode) =>
  background || (more.length === 0 && only !== undefined && soleOf(only) === undefined)

/** The lists of statements that a compound command runs; undefined for other commands. */
function bodiesOf(node: SyntaxNode): StatementNode[][] | undefined {
  switch (node.type) {
    case 'Group':
    case 'Subshell':
    case 'For':
    case 'CStyleFor':
      return [node.body]
    case 'While':
    case 'Until':
      return [node.condition, node.body]
    case 'If':
      return [...node.clauses.flatMap(({ condition, body }) => [condition, body]), node.elseBody ?? []]
    case 'Case':
      return node.items.map(({ body }) => body)
    default:
      return undefined
  }
}

/** A statement whose errors are output. */
function merged(node: StatementNode): StatementNode {
  if (node.background) return single(group([node], [merge()]))
  return { ...node, pipelines: node.pipelines.map(mergedPipeline) }
}

function mergedPipeline(node: PipelineNode): PipelineNode {
  const command = soleOf(node)
  if (command === undefined) {
    const { negated } = node
    return { ...pipeline(group([statement([{ ...node, negated: false }])], [merge()])), negated }
  }
  if (command.type !== 'FunctionDef') command.redirections.push(merge())
  return node
}

/** The command that is all of a pipeline, and can get a redirection of all its errors; undefined where there is none. */
function soleOf({ commands: [command, ...others], timed }: PipelineNode): CommandNode | undefined {
  // What `time` tells is not the command's.
  if (command === undefined || others.length > 0 || timed) return undefined
  if (command.type === 'FunctionDef') return command
  // The errors of the words of a command are not its own.
  if (command.type === 'SimpleCommand' && (command.name === null || expands(command))) return undefined
  return command.redirections.length === 0 ? command : undefined
}

const EXPANSIONS: ReadonlySet<unknown> = new Set([
  'ParameterExpansion',
  'ArithmeticExpansion',
  'CommandSubstitution',
])

const expands = (value: object): boolean =>
  EXPANSIONS.has(Reflect.get(value, 'type')) || innerOf(value).some(expands)
