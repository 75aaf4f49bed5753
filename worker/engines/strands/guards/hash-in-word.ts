import type { ScriptGuard } from './script-edits.ts'

/** `echo a#b`: the engine takes a `#` inside a word for the start of a comment. It is quoted. */
export const hashInWord: ScriptGuard = {
  applies: (command) => /[^\s#]#/.test(command),
  listen(_text, edit) {
    return {
      hash(at) {
        edit({ start: at, end: at + 1, text: "'#'" })
      },
    }
  },
}
