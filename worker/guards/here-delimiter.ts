import type { ScriptGuard } from './script-edits.ts'

/** `<<\EOF` makes a body literal, as `<<'EOF'` does; the engine expands it. */
export const hereDelimiter: ScriptGuard = {
  applies: (command) => /<<-?[ \t]*\\/.test(command),
  listen(text, edit) {
    return {
      word({ start, end, role }) {
        if (role !== 'delimiter' || text[start] !== '\\') return
        edit({ start, end, text: `'${text.slice(start + 1, end)}'` })
      },
    }
  },
}
