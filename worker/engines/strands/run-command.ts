import type { CommandOutput, CommandRequest, CommandScope } from '../../../src/contract/shell-api.ts'
import { applyDeadline } from './guards/deadline.ts'
import { normalizeExitStatus } from './guards/exit-status.ts'
import { capOutput } from './guards/output-cap.ts'
import { RESTORE_ALIASES } from './guards/prelude.ts'
import { rewriteCommand } from './guards/rewrite.ts'
import { mayUnalias } from './guards/unaliased-test.ts'
import type { NativeShell } from './native-shell.ts'
import { runScoped } from './scoped-command.ts'
import { readingScript, withFiles } from './stdin.ts'

/** The limits a command runs under: seconds and bytes. */
export interface CommandLimits {
  readonly timeout: number
  readonly maxOutput: number
  readonly maxFileSize: number
}

/** Runs a command in the session, or, with a scope, in a subshell of it, and states how it ended. */
export async function runCommand(
  shell: NativeShell,
  { command, scope, stdin }: CommandRequest,
  limits: CommandLimits,
): Promise<CommandOutput> {
  const text = rewriteCommand(command)
  if (stdin === undefined) return runText(shell, text, { command, scope }, limits)
  const contents = [stdin, new TextEncoder().encode(text)]
  return withFiles(shell, contents, limits.maxFileSize, (input = '', script = '') =>
    runText(shell, readingScript(script, input), { command, scope }, limits),
  )
}

/** @param text - what the engine runs for the command. */
async function runText(
  shell: NativeShell,
  text: string,
  { command, scope }: { readonly command: string; readonly scope: CommandScope | undefined },
  limits: CommandLimits,
): Promise<CommandOutput> {
  const start = performance.now()
  const { status, stdout, stderr } = await (scope === undefined
    ? shell.run(text)
    : runScoped(shell, text, scope))
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
