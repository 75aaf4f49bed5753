import type { CommandOutput } from '../../../../src/contract/shell-api.ts'

/** The exit code of a command that the engine stopped at its deadline, as with `timeout(1)`. */
const DEADLINE_EXIT_CODE = 124

const MESSAGE = 'strands-shell: execution timeout exceeded'
/** `lua` says it without the name in front. */
const TRAILING = /(?:\n?strands-shell: execution timeout exceeded|(?:^|\n)execution timeout exceeded)+\n?$/
/** How much earlier than its deadline the engine may stop a command, in milliseconds. */
const EARLY = 20

/**
 * Gives a command that ran to the engine's deadline exit code 124 and one line on stderr that says so. The
 * engine itself answers 1, or 0 without a word when the last command was `sleep`: the clock tells.
 *
 * @param timeoutSeconds - the engine's deadline.
 */
export function applyDeadline(output: CommandOutput, timeoutSeconds: number): CommandOutput {
  const deadline = timeoutSeconds * 1000
  const { durationMs } = output
  const says = () => output.stderr.endsWith(`${MESSAGE}\n`)
  if (durationMs < deadline - EARLY || (durationMs < deadline && !says())) return output
  const stderr = output.stderr.replace(TRAILING, '')
  const separator = stderr === '' || stderr.endsWith('\n') ? '' : '\n'
  return {
    ...output,
    exitCode: DEADLINE_EXIT_CODE,
    stderr: `${stderr}${separator}${MESSAGE}\n`,
    timedOut: true,
  }
}
