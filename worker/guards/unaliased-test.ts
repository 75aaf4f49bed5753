import type { ScriptGuard } from './script-edits.ts'
import { GUARDED_TESTS } from './test-operands.ts'

/**
 * Calls the guard of `[` and `test` by name in the places where the engine does not expand the aliases
 * that lead to it: in `$( )`, right after a pattern of `case`, and after an assignment or redirection.
 */
export const unaliasedTest: ScriptGuard = {
  applies: (command) => /\[|\btest\b/.test(command) && /[=<>)]|\$\(/.test(command),
  listen(_text, edit) {
    return {
      word({ start, end, plain, unaliased }) {
        const guard = unaliased && plain !== null ? GUARDED_TESTS.get(plain) : undefined
        if (guard !== undefined) edit({ start, end, text: guard })
      },
    }
  },
}
