import type { CommandOutput, CommandRequest } from '../../../src/contract/shell-api.ts'
import { applyDeadline } from './guards/deadline.ts'
import { normalizeExitStatus } from './guards/exit-status.ts'
import { capOutput } from './guards/output-cap.ts'
import { RESTORE_ALIASES } from './guards/prelude.ts'
import { mayUnalias } from './guards/unaliased-test.ts'
import type { NativeShell } from './native-shell.ts'
import { runScoped } from './scoped-command.ts'
import { readingScript, withFiles } from './stdin.ts'
import { loadTranslation } from './translate/load.ts'
import { isOrdinary } from './translate/ordinary.ts'
import type { RunNative } from './translate/run-translated.ts'

/** The limits a command runs under: seconds and bytes. */
export interface CommandLimits {
  readonly timeout: number
  readonly maxOutput: number
  readonly maxFileSize: number
}

/**
 * Runs a command in the session, or, with a scope, in a subshell of it, and states how it ended.
 *
 * @param isTranslated - the engine runs it as it is.
 */
export async function runCommand(
  shell: NativeShell,
  { command, scope, stdin }: CommandRequest,
  limits: CommandLimits,
  isTranslated = isOrdinary(command),
): Promise<CommandOutput> {
  const start = performance.now()
  const expired = () => performance.now() - start >= limits.timeout * 1000
  const native: RunNative = (text) => (scope === undefined ? shell.run(text) : runScoped(shell, text, scope))
  const run = stdin === undefined ? native : reading(shell, stdin, limits.maxFileSize, native)
  const conditions = {
    lasts: scope === undefined,
    input: stdin !== undefined,
    directory: scope?.cwd,
    expired,
  }
  const { status, stdout, stderr } = await (isTranslated
    ? run(command)
    : loadTranslation().runTranslated(shell, command, run, conditions))
  const durationMs = performance.now() - start
  if (mayUnalias(command)) await shell.run(RESTORE_ALIASES)
  const output: CommandOutput = {
    exitCode: normalizeExitStatus(status),
    stdout,
    stderr,
    timedOut: false,
    truncated: false,
    durationMs,
  }
  return applyDeadline(capOutput(output, limits.maxOutput), limits.timeout)
}

/** Runs texts with an input. */
function reading(shell: NativeShell, stdin: Uint8Array, maxFileSize: number, native: RunNative): RunNative {
  return (text) => {
    const contents = [stdin, new TextEncoder().encode(text)]
    return withFiles(shell, contents, maxFileSize, (input = '', script = '') =>
      native(readingScript(script, input)),
    )
  }
}
