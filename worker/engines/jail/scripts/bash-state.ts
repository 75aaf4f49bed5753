import { quoted } from '../quoted.ts'
import { DRIVER, STATE } from './places.ts'

/** What bash runs when it ends, so that the next one has its state. */
export const KEEPS_STATE = `\\builtin trap '. ${DRIVER}/keep' EXIT`

/** It reads a line of its file when there is one. `read` would take the time limit of TMOUT. */
const WAITS = `\\builtin mapfile -n 1 __jail <${DRIVER}/go`

/** The last lines of what a bash begins with: it tells its number and its directory. */
export const READY = `\\builtin unset __jail
${KEEPS_STATE}
\\builtin printf '\\0R\\0%s\\0%s\\0' "$$" "$PWD" >|${DRIVER}/status
`

/** What a bash has that begins. */
export interface BashStart {
  readonly env: readonly (readonly [name: string, value: string])[]
  readonly umask: number
  readonly cwd: string
}

/** The script that the first bash of a jail begins with. */
export function startScript({ env, umask, cwd }: BashStart): string {
  const exports = env.map(([name, value]) => `\\builtin export ${name}=${quoted(value)}\n`)
  return `\\builtin unset BASH_ENV OLDPWD
${exports.join('')}\\builtin umask ${umask.toString(8).padStart(4, '0')}
\\builtin cd -- ${quoted(cwd)}
\\builtin unset OLDPWD
${READY}${WAITS}
`
}

/**
 * The script that writes the state of a bash that ends. Options come last: they would act on the lines after them. The
 * directory comes before the variables, which have the one before it.
 *
 * @param next - the last lines of the next one.
 */
export const keepScript = (next = `${READY}${WAITS}\n`): string => `__jail=$?
{
  \\builtin printf '\\\\builtin unset BASH_ENV\\n'
  \\builtin shopt -p
  \\builtin declare -f
  \\builtin declare -F
  \\builtin printf '\\\\builtin cd -- %q\\n\\\\builtin unset OLDPWD\\n' "$PWD"
  \\builtin declare -p
  \\builtin alias -p
  \\builtin trap -p
  \\builtin umask -p
  \\builtin printf '\\\\builtin set --'
  [ "$#" = 0 ] || \\builtin printf ' %q' "$@"
  \\builtin printf '\\n'
  \\builtin set +o
  \\builtin printf %s ${quoted(next)}
} >|${STATE}/new 2>/dev/null && \\builtin echo all >|${STATE}/done
\\builtin set +e
\\builtin return "$__jail"
`

/**
 * What comes after every command: the record of how it has ended, and the wait for the next one. It is called with the number
 * of the command and its status. Each builtin writes by itself what it prints: the one that ends the record comes last.
 */
export const reportScript = `{
  \\builtin trap -p EXIT
  \\builtin printf '\\0D\\0%s\\0%s\\0%s\\0%s\\0' "$1" "$2" "$PWD" "\${!:-}"
} >|${DRIVER}/status
${WAITS}
`

/** Gives the status that it is called with: `$?` of a command is that of the one before. */
export const statusScript = '\\builtin return "$1"\n'
