import type { NodeOf, PipelineNode, SimpleCommandNode, StatementNode } from '../just-bash.ts'
import { type Fork, type Forking, forkCommand, isFork, programOf } from './fork.ts'
import { pipeline, plainText, statement } from './nodes.ts'
import type { Traits } from './traits.ts'
import { innerOf, isNode } from './walk.ts'

/** `( trap … EXIT; … )`: a shell of its own has traps of its own. */
export function trapping(
  node: NodeOf<'Subshell'>,
  forking: Forking,
  traits: Traits,
): NodeOf<'Subshell'> | SimpleCommandNode {
  if (!node.body.some(setsTrap)) return node
  traits.stateful = true
  const fork: Fork = {
    program: programOf(node.body, traits),
    text: '',
    background: false,
    slow: true,
    atOnce: true,
  }
  return forkCommand(fork, forking, node.redirections)
}

/** The same of `{ trap … EXIT; … }` in a pipeline. */
export function trappingStages(node: PipelineNode, forking: Forking, traits: Traits): void {
  if (node.commands.length < 2) return
  for (const [at, stage] of node.commands.entries())
    if (stage.type === 'Group') {
      const { body, redirections } = stage
      if ([...body].some(setsTrap))
        node.commands[at] = trapping({ type: 'Subshell', body: [...body], redirections }, forking, traits)
    }
}

/** The same in `$( )`. */
export function trappingScript(
  statements: readonly StatementNode[],
  forking: Forking,
  traits: Traits,
): StatementNode[] {
  if (!statements.some(setsTrap)) return [...statements]
  traits.stateful = true
  const fork: Fork = {
    program: programOf(statements, traits),
    text: '',
    background: false,
    slow: true,
    atOnce: true,
  }
  return [statement([pipeline(forkCommand(fork, forking, []))])]
}

const OWN_SHELLS = new Set(['Subshell', 'CommandSubstitution', 'ProcessSubstitution', 'FunctionDef'])

function setsTrap(value: object): boolean {
  if (isFork(value)) return false
  if (isNode(value)) {
    if (OWN_SHELLS.has(value.type)) return false
    if (value.type === 'SimpleCommand' && plainText(value.name) === 'trap') return true
  }
  return innerOf(value).some(setsTrap)
}
