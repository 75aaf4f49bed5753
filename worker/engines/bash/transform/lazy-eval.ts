import type { CommandNode, SimpleCommandNode, StatementNode } from '../just-bash.ts'
import { innerPath } from './inner-command.ts'
import {
  group,
  literal,
  command as named,
  pipeline,
  plainText,
  simple,
  single,
  statement,
  word,
} from './nodes.ts'

/** Parses its words for the group that follows it. */
export const PARSE_EVAL = '__eval'

/** Prints what it reads. */
export const STDIN = '__stdin'

/** What was parsed last, for the group that runs it. */
export interface Evaluated {
  current: readonly StatementNode[]
}

/** `eval words`: parsed by us, so that what is in it is rewritten and its functions are known. */
export function lazyEval(command: SimpleCommandNode, evaluated: Evaluated): CommandNode {
  if (plainText(command.name) !== 'eval' || command.assignments.length > 0) return command
  const body = evaluatesLater(group([]), evaluated)
  const parsed = pipeline(named(innerPath(PARSE_EVAL), ...command.args))
  return group([statement([parsed, pipeline(body)], ['&&'])], command.redirections)
}

/** Has a node run what was parsed last. As JSON it says that it is computed. */
export function evaluatesLater<T extends object>(node: T, evaluated: Evaluated): T {
  const written = { ...node, body: [], computed: true }
  Object.defineProperty(node, 'body', { enumerable: true, get: () => evaluated.current })
  Object.defineProperty(node, 'toJSON', { value: () => written })
  return node
}

/** `. /dev/stdin` as `eval "$(__stdin)"`: just-bash finds no such file. */
export function stdinSource(command: SimpleCommandNode): SimpleCommandNode {
  if (!sources(command) || plainText(command.args[0]) !== '/dev/stdin') return command
  const body = { type: 'Script' as const, statements: [single(simple(innerPath(STDIN)))] }
  const text = word({ type: 'DoubleQuoted', parts: [{ type: 'CommandSubstitution', body, legacy: false }] })
  return { ...command, name: literal('eval'), args: [text] }
}

function sources({ name, args }: SimpleCommandNode): boolean {
  const text = plainText(name)
  return (text === 'source' || text === '.') && args.length > 0
}
