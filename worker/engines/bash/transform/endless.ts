import type { CommandNode, SimpleCommandNode, StatementNode } from '../just-bash.ts'
import { innerPath } from './inner-command.ts'
import { literal, plainText } from './nodes.ts'

/** `yes` whose output nobody cuts: it fails when what fits here is full. */
export const ENDLESS = '__yes'

const OUTPUTS: ReadonlySet<string> = new Set(['>', '>>', '>|', '&>', '&>>'])

const isYes = (node: CommandNode | undefined): node is SimpleCommandNode =>
  node?.type === 'SimpleCommand' && plainText(node.name) === 'yes'

const endless = (node: SimpleCommandNode): SimpleCommandNode => ({
  ...node,
  name: literal(innerPath(ENDLESS)),
})

/** `yes > file` */
export function endlessFile(node: SimpleCommandNode): SimpleCommandNode {
  const fills = node.redirections.some(({ operator, fd }) => OUTPUTS.has(operator) && (fd ?? 1) === 1)
  return fills && isYes(node) ? endless(node) : node
}

/** `yes` as a statement of a script or of `$( )`: no reader ends it. */
export function endlessStatements(statements: readonly StatementNode[]): void {
  for (const { pipelines } of statements)
    for (const { commands } of pipelines) {
      const last = commands.at(-1)
      if (isYes(last)) commands[commands.length - 1] = endless(last)
    }
}
