import type { CommandNode, NodeOf, PipelineNode, SimpleCommandNode, StatementNode } from '../just-bash.ts'
import { keptText } from './expansion-order.ts'
import { isInner } from './inner-command.ts'
import {
  assigning,
  group,
  literal,
  pipeline,
  plainText,
  quotedParameter,
  simple,
  single,
  statement,
} from './nodes.ts'
import { isPlain } from './stateful.ts'

/**
 * `f || g`, `{ a; } && b` and `! f` under `set -e`: what fails inside of the left side ends the shell in just-bash, and
 * does not in bash. The condition of an `if` is where just-bash knows that too.
 */
export function conditionList(node: StatementNode): StatementNode {
  const last = node.pipelines.length - 1
  const pipelines = node.pipelines.map((one, at) => (at < last || one.negated ? asCondition(one) : one))
  return { ...node, pipelines }
}

function asCondition(one: PipelineNode): PipelineNode {
  const [command] = one.commands
  if (one.commands.length !== 1 || command === undefined || one.timed === true || !mayFailInside(command))
    return one
  return { ...one, commands: [condition(command, safe())] }
}

function mayFailInside(command: CommandNode): boolean {
  switch (command.type) {
    case 'ArithmeticCommand':
    case 'ConditionalCommand':
    case 'FunctionDef':
      return false
    case 'SimpleCommand': {
      const name = nameOf(command)
      return name === undefined || !(isPlain(name) || isInner(name))
    }
    default:
      return true
  }
}

function nameOf({ name }: SimpleCommandNode): string | undefined {
  if (name === null) return ':'
  const [part] = name.parts
  return part?.type === 'Glob' ? part.pattern : plainText(name)
}

/** A command without words has the status of the one before. */
const SAME_STATUS = assigning()

/** A status that ends no shell. */
const safe = (): StatementNode => statement([pipeline(SAME_STATUS), pipeline(simple(':'))], ['&&'])

/** `if command; then :; else the same status; fi` */
const condition = (command: CommandNode, otherwise: StatementNode): NodeOf<'If'> => ({
  type: 'If',
  clauses: [{ condition: [single(command)], body: [single(simple(':'))] }],
  elseBody: [otherwise],
  redirections: [],
})

/** What changes more of a shell than its variables: just-bash lets that out of `$( )`. */
const CHANGES_SHELL =
  /\b(?:set|shopt|readonly|(?:declare|typeset) +-\w*[aAilnrux]|export|alias|unalias|source|function|umask)\b|\(\s*\)|(?:^|[;&|({\s])\.\s|\$-/

/** `$( )` runs without `set -e`, which just-bash keeps. One plain command makes no difference. */
export function withoutErrexit(statements: readonly StatementNode[]): StatementNode[] {
  const [first, ...more] = statements
  if (first === undefined || (more.length === 0 && first.pipelines.every(isHarmless))) return [...statements]
  if (statements.some(({ sourceText = '' }) => CHANGES_SHELL.test(sourceText)))
    return inShellOfItsOwn(statements)
  // The last status ends its shell, which is at its end.
  return [single(condition(group([...statements]), single(SAME_STATUS)))]
}

/** `( set +e; list )`, where the list begins with the status from outside. */
function inShellOfItsOwn(statements: readonly StatementNode[]): StatementNode[] {
  const keep = keptText(STATUS, { type: 'ParameterExpansion', parameter: '?', operation: null })
  const unset = single(simple('set', literal('+e')))
  const again = single(subshell([single(simple('exit', quotedParameter(STATUS)))]))
  return [single(subshell([keep, unset, again, ...statements]))]
}

/** A variable of the shell that ends. */
const STATUS = '__a0'

const subshell = (body: StatementNode[]): NodeOf<'Subshell'> => ({ type: 'Subshell', body, redirections: [] })

const isHarmless = ({ commands }: PipelineNode) => commands.every((command) => !mayFailInside(command))
