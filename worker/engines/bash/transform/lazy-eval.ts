import type { CommandNode, SimpleCommandNode, StatementNode } from '../just-bash.ts'
import { group, literal, pipeline, plainText, simple, single, statement } from './nodes.ts'

/** Parses its words for the group that follows it. */
export const PARSE_EVAL = '__eval'
/** Takes the functions of a file that is about to be sourced. */
export const NOTE_SOURCED = '__sourced'

/** What was parsed last, for the group that runs it. */
export interface Evaluated {
  current: readonly StatementNode[]
}

/** `eval words`: parsed by us, so that what is in it is rewritten and its functions are known. */
export function lazyEval(command: SimpleCommandNode, evaluated: Evaluated): CommandNode {
  if (plainText(command.name) !== 'eval' || command.assignments.length > 0) return command
  const body = group([])
  Object.defineProperty(body, 'body', { enumerable: true, get: () => evaluated.current })
  const parsed = pipeline({ ...simple(PARSE_EVAL), args: command.args })
  return group([statement([parsed, pipeline(body)], ['&&'])], command.redirections)
}

/** `. file`: its functions are noted before it runs. */
export function sourced(command: SimpleCommandNode): CommandNode {
  const name = plainText(command.name)
  if ((name !== 'source' && name !== '.') || command.args.length === 0) return command
  // A substitution must not run twice.
  if (/Substitution"/.test(JSON.stringify(command.args[0]))) return command
  const note = single({ ...simple(NOTE_SOURCED), args: command.args.slice(0, 1).map((arg) => ({ ...arg })) })
  return group([note, single({ ...command, name: literal('source') })])
}
