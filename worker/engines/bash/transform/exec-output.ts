import type { SimpleCommandNode, SyntaxNode } from '../just-bash.ts'
import { plainText } from './nodes.ts'
import type { Traits } from './traits.ts'

const OUTPUTS: ReadonlySet<string> = new Set(['>', '>>', '>|', '&>', '&>>'])

const SUBSTITUTES = /"type":"ProcessSubstitution"/

/** Whether it sends the output of the shell itself to a file. */
function sendsOutput({ name, args, redirections }: SimpleCommandNode): boolean {
  if (plainText(name) !== 'exec' || args.length > 0) return false
  return redirections.some(({ operator, fd }) => OUTPUTS.has(operator) && (fd ?? 1) === 1)
}

/**
 * `exec > file`: just-bash sends what `$( )` and the stages of pipelines print to the file as well, and the output of
 * `exec > >(…)` nowhere.
 *
 * @throws Error where a script has both
 */
export function noteExec(node: SyntaxNode, traits: Traits): void {
  if (node.type === 'CommandSubstitution' || (node.type === 'Pipeline' && node.commands.length > 1))
    traits.captures = true
  else if (node.type === 'SimpleCommand' && sendsOutput(node)) {
    traits.redirects = true
    if (SUBSTITUTES.test(JSON.stringify(node.redirections)))
      throw new Error('exec with >( ) is not known here: write { …; } > >(…)')
  }
  if (traits.redirects && traits.captures)
    throw new Error('exec > file in a script with $( ) or | is not known here: write { …; } > file')
}
