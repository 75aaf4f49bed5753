import type { ScriptGuard } from './script-edits.ts'

/**
 * The engine runs a script line by line. It does not continue a line after a backslash, `false &&` before a
 * line break runs the next line, and a function whose `{` stands on the next line is a syntax error.
 * Such lines are joined. Where here-documents begin on the line, `&&` stays as it is.
 */
export const lineJoining: ScriptGuard = {
  applies: (command) => /\\\n|(?:&&|\|\||\))[ \t]*[\n#]/.test(command),
  listen(text, edit) {
    /** Where the operator ends that joins this line with the next, and whether a line break came. */
    let after = -1
    let broken = false
    const token = (start: number, joins: boolean) => {
      if (broken && joins) edit({ start: after, end: start, text: ' ' })
      after = -1
      broken = false
    }
    return {
      continuation(at) {
        edit({ start: at, end: at + 2, text: '' })
      },
      word(word) {
        token(word.start, text[after - 1] !== ')' || word.plain === '{')
      },
      redirect(_operator, _descriptor, start) {
        token(start, text[after - 1] !== ')')
      },
      separator(separator, start, end, bodies) {
        if (separator === '\n') {
          if (bodies) after = -1
          broken = after >= 0
          return
        }
        if (separator === '(') token(start, text[after - 1] !== ')')
        after = separator === '&&' || separator === '||' || separator === '()' ? end : -1
        broken = false
      },
    }
  },
}
