import { literalWord } from './literal-word.ts'
import { readWhenCalled } from './read-when-called.ts'
import type { ScriptGuard } from './script-edits.ts'
import { simpleCommands } from './simple-commands.ts'

const GUARD = '__ssr_lua'

/**
 * `lua` without a script reads and runs the standard input of the host process when the sandbox gives it
 * none, and `lua -i` does so always. Where the text shows no input for it, a function is called in its place.
 *
 * An alias would not do: the engine ignores redirections of a function call (`lua x.lua > out`).
 */
export const bareLua: ScriptGuard = {
  applies: (command) => /l['"\\]*u['"\\]*a/.test(command),
  listen(text, edit) {
    return simpleCommands(text, new Set(['lua']), ({ name, words, fed, redirected, piped }) => {
      const literals = words.map((word) => literalWord(text, word))
      const interactive = literals[0] === '-i'
      const mayBeBare = literals.every((literal) => literal === '--' || literal === null)
      if (!interactive && (!mayBeBare || fed || piped)) return
      // It may be a script after all, whose redirection a call would lose.
      if (redirected && literals.includes(null)) return
      edit({ start: name.start, end: name.end, text: GUARD })
    })
  },
}

/**
 * Runs what comes through a pipe into the function, by way of a file. The engine gives `cat` an empty
 * input where the host's would be.
 */
export const LUA_PRELUDE: readonly string[] = [
  readWhenCalled(`${GUARD}() {
  local __ssr_file=
  local __ssr_status=1
  case "$1" in
  -i) "printf" "lua: interactive mode is not available\\n" >&2; return 1 ;;
  esac
  case "$#$1" in
  0|1--) ;;
  *) "lua" "$@"; return ;;
  esac
  __ssr_file=$("mktemp")
  "cat" > "$__ssr_file"
  if "[" -s "$__ssr_file" "]"; then
    "lua" < "$__ssr_file"
    __ssr_status=$?
  else
    "printf" "lua: expected a script: lua FILE, lua -e CODE, or a script on standard input\\n" >&2
  fi
  "rm" "$__ssr_file"
  return $__ssr_status
}`),
]
