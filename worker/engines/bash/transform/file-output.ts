import type { CommandNode } from '../just-bash.ts'
import { group, plainText, single } from './nodes.ts'

export const OUTPUTS: ReadonlySet<string> = new Set(['>', '>>', '>|', '&>', '&>>', '>&', '<>'])

/**
 * `{ …; } > file` where the file cannot be opened: just-bash ends the script, and bash the command. What goes wrong inside of a
 * group ends the group alone.
 */
export function containedOutput(node: CommandNode): CommandNode {
  if (node.type === 'SimpleCommand' || node.type === 'FunctionDef') return node
  const opens = node.redirections.some(({ operator, target }) => {
    const text = target.type === 'Word' ? plainText(target) : undefined
    return (
      OUTPUTS.has(operator) && text !== '/dev/null' && !(operator === '>&' && /^[\d-]*$/.test(text ?? 'file'))
    )
  })
  return opens ? group([single(node)]) : node
}
