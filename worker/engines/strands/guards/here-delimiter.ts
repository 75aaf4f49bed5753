import type { ScriptGuard } from './script-edits.ts'

/** A whole delimiter in double quotes, with nothing in it that they would leave special. */
const doubleQuoted = /^"([^"$`\\'\s]*)"$/

/**
 * `<<\EOF` and `<<"EOF"` make a body literal, as `<<'EOF'` does; the engine expands the first, and ends the second at
 * its first empty line and runs the rest.
 */
export const hereDelimiter: ScriptGuard = {
  applies: (command) => /<<-?[ \t]*[\\"]/.test(command),
  listen(text, edit) {
    return {
      word({ start, end, role }) {
        if (role !== 'delimiter') return
        const word = text.slice(start, end)
        if (word.startsWith('\\')) edit({ start, end, text: `'${word.slice(1)}'` })
        const inQuotes = doubleQuoted.exec(word)?.[1]
        if (inQuotes !== undefined) edit({ start, end, text: `'${inQuotes}'` })
      },
    }
  },
}
