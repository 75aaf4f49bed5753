import { literalWord } from './literal-word.ts'
import type { ScriptGuard } from './script-edits.ts'
import type { ScriptWord } from './script-visitor.ts'
import { GUARDED_TESTS } from './test-operands.ts'

/** Aliases that a command may have taken away. */
const UNALIAS = /\bunalias\b/

/**
 * Calls the guard of `[` and `test` by name in the places where the engine does not expand the aliases
 * that lead to it: in `$( )`, right after a pattern of `case`, after an assignment or redirection, where the
 * name is quoted or follows `command`, and in a script that takes aliases away.
 */
export const unaliasedTest: ScriptGuard = {
  applies: (command) =>
    /\[|t['"\\]*e['"\\]*s['"\\]*t/.test(command) && /[=<>)'"\\]|\$\(|\bcommand\b|\bunalias\b/.test(command),
  listen(text, edit) {
    const everywhere = UNALIAS.test(text)
    let prefix: ScriptWord | null = null
    return {
      word(word) {
        const { start, end, plain, role, unaliased } = word
        const named = role === 'command' || (role === 'argument' && prefix !== null)
        const name = named ? literalWord(text, word) : null
        const guard = name === null ? undefined : GUARDED_TESTS.get(name)
        if (guard !== undefined && (unaliased || everywhere || plain === null || prefix !== null)) {
          edit({ start: prefix?.start ?? start, end, text: guard })
        }
        prefix = role === 'command' && name === 'command' ? word : null
      },
      separator() {
        prefix = null
      },
    }
  },
}

/** Whether a command may have taken away the aliases that lead to the guards. */
export function mayUnalias(command: string): boolean {
  return UNALIAS.test(command)
}
