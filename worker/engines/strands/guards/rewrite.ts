import { bareLua } from './bare-lua.ts'
import { digitRedirect } from './digit-redirect.ts'
import { emptyWords } from './empty-words.ts'
import { forPositional } from './for-positional.ts'
import { hashInWord } from './hash-in-word.ts'
import { hereDelimiter } from './here-delimiter.ts'
import { lineJoining } from './line-joining.ts'
import type { Edit, ScriptGuard } from './script-edits.ts'
import { applyEdits } from './script-edits.ts'
import { lexScript } from './script-lexer.ts'
import type { ScriptVisitor } from './script-visitor.ts'
import { unaliasedTest } from './unaliased-test.ts'

const GUARDS: readonly ScriptGuard[] = [
  emptyWords,
  forPositional,
  digitRedirect,
  lineJoining,
  hashInWord,
  hereDelimiter,
  bareLua,
  unaliasedTest,
]

/**
 * Shields a command from the quirks of the engine that can be seen in its text. Ordinary commands come back as they are,
 * after a few regular expressions. Takes time linear in the length of the command.
 *
 * @returns undefined where the text may need a shield and cannot be read with certainty.
 */
export function shielded(command: string): string | undefined {
  const guards = GUARDS.filter((guard) => guard.applies(command))
  if (guards.length === 0) return command
  const edits: Edit[] = []
  const visitors = guards.map((guard) => guard.listen(command, (edit) => edits.push(edit)))
  if (!lexScript(command, fanOut(visitors))) return undefined
  return edits.length === 0 ? command : (applyEdits(command, edits) ?? undefined)
}

/** As {@link shielded}; a text that cannot be read stays as it is. */
export function rewriteCommand(command: string): string {
  return shielded(command) ?? command
}

function fanOut(visitors: readonly ScriptVisitor[]): ScriptVisitor {
  return {
    word(word) {
      for (const visitor of visitors) visitor.word?.(word)
    },
    redirect(operator, descriptor, start) {
      for (const visitor of visitors) visitor.redirect?.(operator, descriptor, start)
    },
    separator(text, start, end, bodies) {
      for (const visitor of visitors) visitor.separator?.(text, start, end, bodies)
    },
    continuation(at) {
      for (const visitor of visitors) visitor.continuation?.(at)
    },
    hash(at) {
      for (const visitor of visitors) visitor.hash?.(at)
    },
  }
}
