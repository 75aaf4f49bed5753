import type { ScriptGuard } from './script-edits.ts'
import type { ScriptWord } from './script-visitor.ts'

/**
 * `echo 5 >> f`: the engine takes a digit before a redirection for its descriptor even when blanks stand between,
 * also an escaped one. POSIX says that it is a word: it is quoted.
 */
export const digitRedirect: ScriptGuard = {
  applies: (command) => /\d[ \t]+[<>]/.test(command),
  listen(text, edit) {
    let digit: ScriptWord | null = null
    return {
      word(word) {
        const candidate = word.role === 'command' || word.role === 'argument' || word.role === 'target'
        const length = word.end - word.start
        const isDigit = candidate && length <= 2 && /^\\?\d$/.test(text.slice(word.start, word.end))
        digit = isDigit ? word : null
      },
      redirect(_operator, descriptor, start) {
        if (digit !== null && descriptor === '' && start > digit.end) {
          edit({ start: digit.start, end: digit.end, text: `'${text[digit.end - 1]}'` })
        }
        digit = null
      },
      separator() {
        digit = null
      },
    }
  },
}
