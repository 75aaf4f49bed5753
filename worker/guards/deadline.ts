import type { CommandOutput } from '../../src/contract/shell-api.ts'

export function applyDeadline(
  output: CommandOutput,
  elapsedMs: number,
  timeoutSeconds: number,
): CommandOutput {
  return elapsedMs >= timeoutSeconds * 1000 ? { ...output, exitCode: 124 } : output
}
