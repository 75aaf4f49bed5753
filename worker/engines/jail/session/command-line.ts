import type { CommandScope } from '../../../../src/contract/shell-api.ts'
import { quoted } from '../quoted.ts'
import { KEEPS_STATE } from '../scripts/bash-state.ts'
import { DRIVER } from '../scripts/places.ts'

/** One run of a text. */
export interface CommandLine {
  readonly text: string
  readonly sequence: number
  /** What `$?` is when it begins. */
  readonly status: number
  readonly hasInput: boolean
  /** Whether its text sets traps. */
  readonly setsTraps: boolean
  readonly scope: CommandScope | undefined
}

/** The end of every line. The lines of the next command are counted from 1 again. */
const report = (sequence: number) => `\\. ${DRIVER}/r ${sequence} "$?"`
const END = ';{ :;} 2>&"$((LINENO=0,2))"\n'

/** The record that the lines of a command are read. */
export function begun(sequence: number): string {
  return `printf '\\0B\\0%s\\0' ${sequence} >|${DRIVER}/status;`
}

/**
 * The lines that have bash run a command: at the top level of its script, so that `local`, `return` and `break` are what they are
 * in any script. The first has its text, in an array because these are never exported. The second begins with the
 * record that they are read, and ends with that of how the command ended.
 */
export function commandLine(command: CommandLine): string {
  const { text, sequence, status, hasInput, setsTraps, scope } = command
  const before = status === 0 ? '' : `\\. ${DRIVER}/with-status ${status} || `
  const run = `${before}\\eval "\${__jail-}"`
  const trap = (text: string) => (setsTraps ? text : '')
  return [
    `${KEEPS_STATE};`,
    trap(`\\. ${DRIVER}/trap-function;`),
    `__jail[0]=${quoted(text)}`,
    END,
    `\\builtin ${begun(sequence)}`,
    // Where it ends the shell, a trap of EXIT has the output of a group, and not always that of eval alone.
    scope === undefined ? `{ ${run};}` : scoped(scope, run),
    ` <${hasInput ? `${DRIVER}/input` : '/dev/null'} >${DRIVER}/out 2>${DRIVER}/err;`,
    report(sequence),
    trap(';\\builtin unset -f trap'),
    END,
  ].join('')
}

/** Runs in a shell of its own, in a directory and with variables of its own. */
function scoped({ cwd, env = [] }: CommandScope, run: string): string {
  const enter = cwd === undefined ? '' : entering('bash', cwd)
  const exports = env.map(
    ([name, value]) =>
      `\\builtin export ${name}=${quoted(value)} 2>/dev/null || { \\builtin printf 'bash: ${name}: readonly variable\\n' >&2; \\builtin exit 1; };`,
  )
  return `(\\builtin trap - EXIT;${enter}${exports.join('')}${run})`
}

/** Goes to a directory, or ends with a message. */
export function entering(shell: string, cwd: string): string {
  // A directory of the name `-` is not the one before.
  const path = quoted(cwd.startsWith('/') ? cwd : `./${cwd}`)
  const named = quoted(cwd)
  return `CDPATH= \\builtin cd -- ${path} 2>/dev/null || { if [ -d ${path} ]; then __jail='Permission denied'; elif [ -e ${path} ]; then __jail='Not a directory'; else __jail='No such file or directory'; fi; \\builtin printf '${shell}: cd: %s: %s\\n' ${named} "$__jail" >&2; \\builtin exit 1; };`
}

/** The line that has bash count its seconds from now. */
export function clockLine(sequence: number): string {
  return `SECONDS=0;${report(sequence)}${END}`
}

/** The line that has bash go to a directory. */
export function enterLine(path: string, sequence: number): string {
  return `\\builtin cd -- ${quoted(path)} && \\builtin unset OLDPWD;${report(sequence)}${END}`
}

/** The line that prints a variable. */
export function variableLine(name: string, sequence: number): string {
  return `{ [ -z "\${${name}+x}" ] || \\builtin printf '=%s' "$${name}"; } >${DRIVER}/out 2>/dev/null;${report(sequence)}${END}`
}

/** The line that sets a variable and exports it. */
export function exportLine(name: string, value: string, sequence: number): string {
  return `\\builtin export ${name}=${quoted(value)} 2>/dev/null;${report(sequence)}${END}`
}
