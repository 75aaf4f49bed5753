import type { ScriptGuard } from './script-edits.ts'

const EXPANSIONS = /^"(?:\$(?:[A-Za-z_]\w*|[0-9!]|\{(?:[A-Za-z_]\w*|\d+)\}))+"$/
const LONGEST = 200

/**
 * The engine drops a word that is just `""`, and one like `"$x"` where the variable is unset: `f "" b` passes one
 * argument, and `[ a = "$x" ]` panics. `''` it keeps, so that replaces the one and follows the other.
 */
export const emptyWords: ScriptGuard = {
  applies: (command) => command.includes('""') || command.includes('"$'),
  listen(text, edit) {
    return {
      word({ start, end, role }) {
        if (role !== 'argument' && role !== 'item') return
        const length = end - start
        if (length === 2 && text.startsWith('""', start)) edit({ start, end, text: "''" })
        else if (length < LONGEST && text[start] === '"' && EXPANSIONS.test(text.slice(start, end))) {
          edit({ start: end, end, text: "''" })
        }
      },
    }
  },
}
