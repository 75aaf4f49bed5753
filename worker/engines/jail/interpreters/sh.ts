import type { CommandScope } from '../../../../src/contract/shell-api.ts'
import { quoted } from '../quoted.ts'
import { READY as BASH_READY, type BashStart, keepScript as keepBashScript } from '../scripts/bash-state.ts'
import { DRIVER, STATE } from '../scripts/places.ts'
import { begun, type CommandLine, entering } from '../session/command-line.ts'
import type { Interpreter } from './interpreter.ts'

/** What the shell runs when it ends, so that the next one has its state. */
const KEEP = `. ${DRIVER}/keep`

/** Where a signal ends it, no trap of EXIT runs: the one that ends a command is caught. */
const KEEPS_STATE = `\\trap '${KEEP}' EXIT; \\trap 'exit 154' VTALRM`

const READY = `\\unset __jail __jail_old __jail_count __jail_word
${KEEPS_STATE}
\\command printf '\\0R\\0%s\\0%s\\0' "$$" "$PWD" >|${DRIVER}/status
`

const startScript = ({ env, umask, cwd }: BashStart): string => `\\unset state ENV
${env.map(([name, value]) => `\\export ${name}=${quoted(value)}\n`).join('')}\\command umask ${umask.toString(8).padStart(4, '0')}
\\command cd -- ${quoted(cwd)}
\\unset OLDPWD
${READY}`

/** Writes the state of a shell that ends: all but its functions, which it cannot print, unless it is bash by another name. */
const keepScript = `__jail=$?
if [ -n "\${BASH_VERSION-}" ]; then
  \\command . ${DRIVER}/keep-bash
else
  __jail_count=0 __jail_old=\${OLDPWD-}
  for __jail_word; do __jail_count=$((__jail_count + 1)); \\eval "__jail_$__jail_count=\\$__jail_word"; done
  {
    \\set
    \\export -p
    \\readonly -p
    \\command printf '\\\\command cd -- "$PWD"\\n\\\\unset OLDPWD\\n'
    [ -z "$__jail_old" ] || \\command printf 'OLDPWD=$__jail_old\\n'
    \\command alias | PATH=/usr/bin:/bin sed 's/^\\(alias \\)\\{0,1\\}/alias /'
    \\trap
    \\command printf '\\\\command umask %s\\n\\\\set --' "$(umask)"
    __jail_word=0
    while [ "$__jail_word" -lt "$__jail_count" ]; do __jail_word=$((__jail_word + 1)); \\command printf ' "$__jail_%s"' "$__jail_word"; done
    \\command printf '\\n'
    \\set +o
    \\command printf %s ${quoted(READY)}
  } >|${STATE}/new 2>/dev/null && \\command echo variables >|${STATE}/done
fi
\\set +e
\\return "$__jail"
`

/** What comes after every command: the record of how it has ended. \`__jail\` has its status and its number. */
const reportScript = `{
  \\trap
  \\command printf '\\0D\\0%s\\0%s\\0%s\\0%s\\0' "\${__jail#* }" "\${__jail% *}" "$PWD" "\${!-}"
} >|${DRIVER}/status
`

const report = (sequence: number) =>
  `__jail="$? ${sequence}";\\exec >/dev/null 2>&1;\\command . ${DRIVER}/r\n`

function commandLine({ sequence, status, hasInput, scope }: CommandLine): string {
  // A file that returns it would end a shell with `set -e`.
  const before = status === 0 ? '' : `(\\exit ${status}) || `
  const run = `${before}\\command . ${DRIVER}/command`
  const input = hasInput ? `${DRIVER}/input` : '/dev/null'
  const command = scope === undefined ? `{ ${run};}` : scoped(scope, run)
  // A trap of EXIT has the output of the shell, and not that of its last command.
  return `\\command ${begun(sequence)}${KEEPS_STATE};\\exec >${DRIVER}/out 2>${DRIVER}/err;${command} <${input};${report(sequence)}`
}

/** Runs in a shell of its own, in a directory and with variables of its own. */
function scoped({ cwd, env = [] }: CommandScope, run: string): string {
  const enter = cwd === undefined ? '' : entering('sh', cwd).replaceAll('\\builtin', '\\command')
  const exports = env.map(
    ([name, value]) =>
      `\\command export ${name}=${quoted(value)} 2>/dev/null || { \\command printf 'sh: ${name}: readonly variable\\n' >&2; \\exit 1; };`,
  )
  return `(\\trap - EXIT;${enter}${exports.join('')}${run})`
}

/** A shell of POSIX, such as dash: when it ends it keeps all of its state but functions. */
export const sh: Interpreter = {
  name: 'sh',
  command: 'state=$state sh -s',
  begin: '\\command . "$state"\n',
  reads: 'pipe',
  scripts: (start) => ({
    start: startScript(start),
    r: reportScript,
    keep: keepScript,
    'keep-bash': keepBashScript(BASH_READY),
  }),
  commandLine,
  enterLine: (path, sequence) => `\\command cd -- ${quoted(path)} && \\unset OLDPWD;${report(sequence)}`,
  variableLine: (name, sequence) =>
    `{ [ -z "\${${name}+x}" ] || \\command printf '=%s' "$${name}"; } >${DRIVER}/out 2>/dev/null;${report(sequence)}`,
  exportLine: (name, value, sequence) =>
    `\\command export ${name}=${quoted(value)} 2>/dev/null;${report(sequence)}`,
  trapOf: (printed) => {
    const found = /^trap -- '((?:[^']|'"'"'|'\\'')*)' EXIT$/m.exec(printed)?.[1]
    const text = found?.replaceAll(`'"'"'`, "'").replaceAll("'\\''", "'")
    return text === KEEP ? undefined : text
  },
  messages: () => (text) => text.replaceAll(`: ${DRIVER}/command: `, ': '),
}
