import type { SimpleCommandNode, StatementNode, SyntaxNode } from '../just-bash.ts'
import { isMerge, mergesErrors } from './merged-errors.ts'
import { group, plainText, simple, single, soleCommand } from './nodes.ts'
import { isPlain } from './stateful.ts'
import type { Traits } from './traits.ts'
import { innerOf, isNode } from './walk.ts'

const OUTPUTS: ReadonlySet<string> = new Set(['>', '>>', '>|', '&>', '&>>'])

const SUBSTITUTES = /"type":"ProcessSubstitution"/

/** Whether it sends the output of the shell itself to a file. */
function sendsOutput({ name, args, redirections }: SimpleCommandNode): boolean {
  if (plainText(name) !== 'exec' || args.length > 0) return false
  return redirections.some(
    ({ operator, fd }) => (OUTPUTS.has(operator) || operator === '>&') && (fd ?? 1) === 1,
  )
}

const isExecOutput = (node: SyntaxNode) => node.type === 'SimpleCommand' && sendsOutput(node)

/** The redirections of `exec > file` that is all of a statement. */
function outputOf(node: StatementNode): SimpleCommandNode['redirections'] | undefined {
  const command = soleCommand(node)
  if (command?.type !== 'SimpleCommand' || !sendsOutput(command)) return undefined
  return SUBSTITUTES.test(JSON.stringify(command.redirections)) ? undefined : command.redirections
}

/** Files, and `2>&1`: what a group has as well. */
const isOfGroup = (one: SimpleCommandNode['redirections'][number]) =>
  (OUTPUTS.has(one.operator) && (one.fd ?? 1) <= 2) || isMerge(one)

/**
 * `exec > file` and the statements behind it as `{ …; } > file`, in place: where output is captured behind it. Traps, and descriptors that
 * are kept and put back, are left alone.
 */
export function groupBehindExec(statements: StatementNode[]): void {
  const outputs = statements.map(outputOf).filter((found) => found !== undefined)
  const all = found(statements, isExecOutput)
  const traps = found(statements, (node) => node.type === 'SimpleCommand' && plainText(node.name) === 'trap')
  if (outputs.length === 0 || all !== outputs.length || traps > 0 || found(statements, captures) === 0) return
  if (outputs.flat().every(isOfGroup)) groupRest(statements)
}

function groupRest(statements: StatementNode[]): void {
  const at = statements.findIndex((one) => outputOf(one) !== undefined)
  const node = statements[at]
  const redirections = node === undefined ? undefined : outputOf(node)
  if (redirections === undefined) return
  const rest = statements.splice(at).slice(1)
  groupRest(rest)
  statements.push(single(group(rest.length === 0 ? [single(simple(':'))] : rest, redirections)))
}

/** Builtins that run no text that was read elsewhere. */
const OWN = new Set(
  'break continue declare exec exit export getopts let local mapfile printf read readonly return set shift shopt trap umask unset'.split(
    ' ',
  ),
)

/**
 * `exec > file` elsewhere: just-bash sends what `$( )` and the stages of pipelines print to the file as well, and the output of
 * `exec > >(…)` nowhere.
 *
 * @throws Error where a script has both
 */
export function noteExec(node: SyntaxNode, traits: Traits): void {
  if (captures(node)) traits.captures = true
  else if (node.type === 'SimpleCommand' && sendsOutput(node)) {
    traits.redirects = true
    if (SUBSTITUTES.test(JSON.stringify(node.redirections)))
      throw new Error('exec with >( ) is not known here: write { …; } > >(…)')
  } else if (mergesErrors(node))
    throw new Error('exec 2>&1 is known here as a command of the script itself: write { …; } 2>&1')
  else if (node.type === 'FunctionDef' && found(node.body, isExecOutput) > 0)
    throw new Error('exec > file in a function is not known here: write { …; } > file')
  if (traits.redirects && (traits.captures || traits.commands.has('trap')))
    throw new Error('exec > file with $( ), |, a function or trap is not known here: write { …; } > file')
}

/** Whether it captures output, or may run what does. */
function captures(node: SyntaxNode): boolean {
  if (node.type === 'CommandSubstitution') return true
  if (node.type === 'Pipeline') return node.commands.length > 1
  if (node.type !== 'SimpleCommand' || node.name === null) return false
  const name = plainText(node.name)
  return name === undefined || !(isPlain(name) || OWN.has(name))
}

/** How many nodes of a kind there are. */
function found(value: object, matches: (node: SyntaxNode) => boolean): number {
  const own = isNode(value) && matches(value) ? 1 : 0
  return innerOf(value).reduce<number>((sum, inner) => sum + found(inner, matches), own)
}
