import type { CommandOutput, CommandRequest } from '../../../src/contract/shell-api.ts'
import { applyDeadline } from './guards/deadline.ts'
import { normalizeExitStatus } from './guards/exit-status.ts'
import { capOutput } from './guards/output-cap.ts'
import { RESTORE_ALIASES } from './guards/prelude.ts'
import { rewriteCommand } from './guards/rewrite.ts'
import { mayUnalias } from './guards/unaliased-test.ts'
import type { NativeShell } from './native-shell.ts'
import { runScoped } from './scoped-command.ts'
import { loadTranslation } from './translate/load.ts'
import { isOrdinary } from './translate/ordinary.ts'

/** The limits a command runs under: seconds and bytes. */
export interface CommandLimits {
  readonly timeout: number
  readonly maxOutput: number
}

/**
 * Runs a command in the session, or, with a scope, in a subshell of it, and states how it ended.
 *
 * @param isTranslated - the engine runs it as it is.
 */
export async function runCommand(
  shell: NativeShell,
  { command, scope }: CommandRequest,
  limits: CommandLimits,
  isTranslated = isOrdinary(command),
): Promise<CommandOutput> {
  const start = performance.now()
  const expired = () => performance.now() - start >= limits.timeout * 1000
  const run = (text: string) => {
    const guarded = rewriteCommand(text)
    return scope === undefined ? shell.run(guarded) : runScoped(shell, guarded, scope)
  }
  const { status, stdout, stderr } = await (isTranslated
    ? run(command)
    : loadTranslation().runTranslated(shell, command, run, { mayPart: scope === undefined, expired }))
  const elapsed = performance.now() - start
  if (mayUnalias(command)) await shell.run(RESTORE_ALIASES)
  const output = { exitCode: normalizeExitStatus(status), stdout, stderr }
  return applyDeadline(capOutput(output, limits.maxOutput), elapsed, limits.timeout)
}
