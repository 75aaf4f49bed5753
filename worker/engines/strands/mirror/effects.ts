import { lexScript } from '../guards/script-lexer.ts'
import { unread } from './effects/definitions.ts'
import type { Effects } from './effects/effects.ts'
import { EffectsVisitor } from './effects/effects-visitor.ts'

export type { Effects } from './effects/effects.ts'

/** Characters. The analysis of a longer command would take too long. */
const LONGEST = 65_536

/**
 * What a command can do, by its text alone: never less than what it does. This holds while no command of the session was
 * `unknown` or `hidden`. After such a command the names in a text may mean anything.
 *
 * @param command - as the engine gets it, after `rewriteCommand`. A text that this would change is `unknown`.
 */
export function effectsOf(command: string): Effects {
  // The engine treats a carriage return as a blank.
  if (command.length > LONGEST || command.includes('\r') || command.includes('\0')) return unread(command)
  const visitor = new EffectsVisitor(command)
  return lexScript(command, visitor) ? visitor.effects : unread(command)
}
