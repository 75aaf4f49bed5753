import type { SimpleCommandNode, WordPart } from '../just-bash.ts'
import { innerPath, isInner } from './inner-command.ts'
import { literal, plainText } from './nodes.ts'

/** The command that runs a file: `__run path args…`. */
export const RUN_FILE = '__run'

const hasSlash = (part: WordPart): boolean =>
  ('value' in part && part.value.includes('/')) || ('parts' in part && part.parts.some(hasSlash))

/**
 * `./x.sh a`: just-bash runs the file in a copy of this shell, with nine arguments at most. It is given
 * to a command that runs it in a shell of its own.
 */
export function fileCommand(command: SimpleCommandNode): SimpleCommandNode {
  const { name } = command
  if (name === null || !name.parts.some(hasSlash) || isInner(plainText(name) ?? '')) return command
  return { ...command, name: literal(innerPath(RUN_FILE)), args: [name, ...command.args] }
}
