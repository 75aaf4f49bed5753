import { lexScript } from '../guards/script-lexer.ts'
import type { Effects } from './effects/effects.ts'
import { UNKNOWN } from './effects/effects.ts'
import { EffectsVisitor } from './effects/effects-visitor.ts'

export type { Effects } from './effects/effects.ts'

/** Characters; what is longer is not worth the time. */
const LONGEST = 65_536

/**
 * What a command can do, judged by its text alone: never less than what it does. It holds while no command of
 * the session was `unknown`; after one, the names in a text may mean anything.
 *
 * @param command - as the engine gets it, after `rewriteCommand`; what that would have changed is `unknown`.
 */
export function effectsOf(command: string): Effects {
  // The engine takes a carriage return for a blank.
  if (command.length > LONGEST || command.includes('\r') || command.includes('\0')) return UNKNOWN
  const visitor = new EffectsVisitor(command)
  return lexScript(command, visitor) ? visitor.effects : UNKNOWN
}
