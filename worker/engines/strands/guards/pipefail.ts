import type { Edit, ScriptGuard } from './script-edits.ts'
import type { ScriptWord } from './script-visitor.ts'
import { simpleCommands } from './simple-commands.ts'

/** The long names of options that the engine has as letters only. */
const LETTERS: ReadonlyMap<string, string> = new Map([
  ['errexit', 'e'],
  ['nounset', 'u'],
  ['xtrace', 'x'],
])
/** `-E` (errtrace) has no meaning in the engine either; it mostly comes with pipefail. */
const SPELLING = /^[-+][A-Za-z]*o$/

/**
 * `set -o pipefail`: the engine has no such option, fails with status 2, and yet keeps the letters before
 * it (`set -euo pipefail`). The option is taken out, the others act, the status is 0. Other options that come
 * by name are given by letter.
 */
export const pipefail: ScriptGuard = {
  applies: (command) => /[-+][A-Za-z]*o[ \t]+(?:pipefail|errexit|nounset|xtrace)\b/.test(command),
  listen(text, edit) {
    return simpleCommands(text, new Set(['set']), ({ name, words }) => {
      for (const change of withoutPipefail(name, words)) edit(change)
    })
  },
}

function withoutPipefail(name: ScriptWord, words: readonly ScriptWord[]): Edit[] {
  const edits: Edit[] = []
  let left = 0
  let at = 0
  for (; at < words.length; at++) {
    const word = words[at]
    if (word === undefined || word.plain === null) return []
    if (!/^[-+]./.test(word.plain) || word.plain === '--') break
    if (!word.plain.includes('o')) {
      left++
      continue
    }
    const value = words[++at]
    if (value === undefined || value.plain === null || !SPELLING.test(word.plain)) return []
    const isPipefail = value.plain === 'pipefail'
    const letter = isPipefail ? '' : LETTERS.get(value.plain)
    if (letter === undefined) return []
    const flags = word.plain.slice(0, -1) + letter
    const kept = isPipefail ? flags.replaceAll('E', '') : flags
    if (kept.length > 1) left++
    edits.push({ start: word.start, end: word.end, text: kept.length > 1 ? kept : '' })
    edits.push({ start: value.start, end: value.end, text: '' })
  }
  if (edits.length === 0 || words.slice(at).some((word) => word.plain === null)) return []
  // A bare `set` would print every variable.
  if (left === 0 && at === words.length) edits.push({ start: name.start, end: name.end, text: ':' })
  return edits
}
