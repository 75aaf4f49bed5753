import type { SimpleCommandNode } from '../just-bash.ts'
import { literal } from './nodes.ts'

/** The command that runs a file: `__run path args…`. */
export const RUN_FILE = '__run'

const hasSlash = (part: { type: string; value?: unknown; parts?: unknown }): boolean =>
  (typeof part.value === 'string' && part.value.includes('/')) ||
  (Array.isArray(part.parts) && part.parts.some(hasSlash))

/**
 * `./x.sh a`: just-bash runs the file in a copy of this shell, with nine arguments at most. It is given
 * to a command that runs it in a shell of its own.
 */
export function fileCommand(node: object): object {
  const { name } = node as SimpleCommandNode
  if (name === undefined || name === null || !name.parts.some(hasSlash)) return node
  const command = node as SimpleCommandNode
  return { ...command, name: literal(RUN_FILE), args: [name, ...command.args] }
}
