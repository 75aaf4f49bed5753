import { FarError } from '../../../../service/far-error.ts'
import type { NativeShell } from '../../native-shell.ts'
import { quoted } from '../../quoting.ts'

/** Commands that functions of the session could hide. Aliases do not apply to quoted words. */
const HIDEABLE = [
  'ls',
  'touch',
  'chmod',
  'mkdir',
  'rmdir',
  'rm',
  'ln',
  'pwd',
  'test',
  'find',
  'cp',
  'mv',
  'readlink',
]
const BEGIN = ["'set' '+eux'", `'unset' '-f' ${HIDEABLE.join(' ')}`]
const END = 'strands-shell-runtime: end'

/**
 * Runs internal commands in a subshell, unaffected by the session's functions, aliases and flags. They are one line,
 * because the engine reads a subshell of many lines in time quadratic in their number.
 *
 * @returns what they printed, or `undefined` if the engine's limits ended them early.
 */
export async function runScript(
  shell: NativeShell,
  commands: readonly string[],
): Promise<string | undefined> {
  const { stdout } = await shell.run(`(${[...BEGIN, ...commands, `'echo' '${END}'`].join('; ')})`)
  return stdout.endsWith(`${END}\n`) ? stdout.slice(0, -END.length - 1) : undefined
}

/**
 * Runs one internal command, as `runScript` does.
 *
 * @returns why it failed, in the engine's words; `undefined` if it did not.
 */
export async function runStep(shell: NativeShell, command: string): Promise<string | undefined> {
  const { stdout, stderr } = await shell.run(`(${[...BEGIN, `${command} && 'echo' '${END}'`].join('; ')})`)
  return stdout.endsWith(`${END}\n`) ? undefined : stderr.trim() || 'the engine ended it early'
}

/**
 * The lines that run one command for many arguments, each well under the engine's limits.
 */
export function commandLines(command: string, words: readonly string[], most = 200): string[] {
  const lines: string[] = []
  for (let from = 0; from < words.length; from += most) {
    lines.push(
      `${command} ${words
        .slice(from, from + most)
        .map(quoted)
        .join(' ')}`,
    )
  }
  return lines
}

/** The error of internal commands that the engine ended early. */
export function cutShort(): FarError {
  return new FarError({
    code: 'IO_ERROR',
    message:
      'A mirrored bind could not be listed within the time limit of commands. What the sandbox holds is safe and is looked at again at the next call; raise timeout, or bind less.',
  })
}
