import type { CommandNode, StatementNode } from '../just-bash.ts'
import { generatedGroup, plainText, single } from './nodes.ts'
import { innerOf, isNode } from './walk.ts'

/** What `umask` sets: it belongs to the files, and not to a shell. */
export interface Umask {
  umask: number
}

/** Whether `umask` is called in a tree. */
export function setsUmask(value: object): boolean {
  if (isNode(value) && value.type === 'SimpleCommand' && plainText(value.name) === 'umask')
    return value.args.length > 0
  return innerOf(value).some(setsUmask)
}

/** A subshell behind which the mask is again what it was. */
export function umaskScope(node: CommandNode, files: Umask): CommandNode {
  const statements: StatementNode[] = [single(node)]
  return generatedGroup(function* () {
    const { umask } = files
    try {
      yield* statements
    } finally {
      files.umask = umask
    }
  }, statements)
}
