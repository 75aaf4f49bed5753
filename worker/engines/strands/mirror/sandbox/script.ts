import { FarError } from '../../../../service/far-error.ts'
import type { NativeShell } from '../../native-shell.ts'

/** Commands of the plumbing that functions of the session could hide; aliases do not reach quoted words. */
const HIDEABLE = ['ls', 'touch', 'chmod', 'mkdir', 'rmdir', 'rm', 'ln', 'pwd', 'test', 'find']
const BEGIN = ["'set' '+eux'", `'unset' '-f' ${HIDEABLE.join(' ')}`]
const END = 'strands-shell-runtime: end'

/** A word that stands for `text` literally. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

/**
 * Runs commands of the plumbing in a subshell, out of reach of the session's functions, aliases and flags. All in one
 * line: the engine reads a subshell of many lines in time quadratic in their number.
 *
 * @returns what they printed, or `undefined` where the engine cut them short: its limits apply to them too.
 */
export async function runScript(
  shell: NativeShell,
  commands: readonly string[],
): Promise<string | undefined> {
  const { stdout } = await shell.run(`(${[...BEGIN, ...commands, `'echo' '${END}'`].join('; ')})`)
  return stdout.endsWith(`${END}\n`) ? stdout.slice(0, -END.length - 1) : undefined
}

/**
 * Runs one command for many arguments, in as many lines as keep each well under the engine's limits.
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

/** The error of plumbing that the engine stopped before it was done. */
export function cutShort(): FarError {
  return new FarError({
    code: 'IO_ERROR',
    message:
      'A mirrored bind could not be listed within the time limit of commands. What the sandbox holds is safe and is looked at again at the next call; raise timeout, or bind less.',
  })
}
