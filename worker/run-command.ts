import { randomBytes } from 'node:crypto'
import type { CommandOutput, CommandRequest } from '../src/contract/shell-api.ts'
import { applyDeadline } from './guards/deadline.ts'
import { normalizeExitStatus } from './guards/exit-status.ts'
import { capOutput } from './guards/output-cap.ts'
import { rewriteCommand } from './guards/rewrite.ts'
import type { NativeShell } from './native-shell.ts'

/** The limits a command runs under: seconds and bytes. */
export interface CommandLimits {
  readonly timeout: number
  readonly maxOutput: number
}

/** Runs a command in the session, or, with a scope, in a subshell of it, and states how it ended. */
export async function runCommand(
  shell: NativeShell,
  { command, scope }: CommandRequest,
  limits: CommandLimits,
): Promise<CommandOutput> {
  const text = rewriteCommand(command)
  const script = scope === undefined ? text : await scoped(shell, scope, text)
  const start = performance.now()
  const { status, stdout, stderr } = await shell.run(script)
  const elapsed = performance.now() - start
  const output = { exitCode: normalizeExitStatus(status), stdout, stderr }
  return capOutput(applyDeadline(output, elapsed, limits.timeout), limits.maxOutput)
}

/**
 * Puts the command into a fresh variable, so that nothing in it can end the subshell early, and evaluates it
 * there. The words are quoted because aliases of the session do not reach quoted words.
 */
async function scoped(shell: NativeShell, scope: string, command: string): Promise<string> {
  const name = `SCOPED_${randomBytes(8).toString('hex')}`
  await shell.setEnv(name, command)
  return `(${scope} && 'eval' "unset ${name}; $${name}")`
}
