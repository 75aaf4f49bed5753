import type { ScriptGuard } from './script-edits.ts'

/**
 * `for x; do` and `for x do` go over the positional parameters; the engine goes over nothing. The list is
 * written out.
 */
export const forPositional: ScriptGuard = {
  applies: (command) => /\bfor[ \t]+\w+\s*(?:;|\n|do\b)/.test(command),
  listen(_text, edit) {
    /** `for` was seen, then its name, which ends at `nameEnd`. */
    let expected: 'for' | 'name' | 'list' = 'for'
    let nameEnd = 0
    let separated = false
    return {
      word({ plain, role, end }) {
        if (expected === 'name' && role === 'other') {
          expected = 'list'
          nameEnd = end
          separated = false
          return
        }
        if (expected === 'list' && plain === 'do') {
          edit({ start: nameEnd, end: nameEnd, text: separated ? ' in "$@"' : ' in "$@";' })
        }
        expected = plain === 'for' && role === 'other' ? 'name' : 'for'
      },
      separator(text) {
        if (text === ';' || text === '\n') separated = true
        else expected = 'for'
      },
    }
  },
}
