import { refuse } from '../refusal.ts'
import type { CommandRule } from './command.ts'

/** What the engine's own \`date\` can print. */
const OWN = /^\+(?:[^%]|%[YmdHMS%])*$/

/** \`date\` computes in lua what the engine does not. */
export const date: CommandRule = ({ words, literals, nameWord }, work) => {
  if (words.length === 0) return
  if (literals.every((literal) => literal === '-u' || (literal !== undefined && OWN.test(literal)))) return
  if (literals.some((literal) => literal === '-s' || literal === '--set')) refuse('date -s')
  work.script.replace(nameWord, work.program('date'))
}
