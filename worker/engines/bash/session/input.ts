import type { CommandNode } from '../just-bash.ts'
import { innerPath } from '../transform/inner-command.ts'
import { simple } from '../transform/nodes.ts'

/** The command that prints what a script reads. */
export const INPUT = '__input'

/** What stands before a script in a pipeline: it gives the script its standard input, or ends it at once. */
export function inputCommand(input: string): CommandNode {
  return simple(input === '' ? ':' : innerPath(INPUT))
}
