import type { CommandOutput } from '../../src/contract/shell-api.ts'

export function capOutput(output: CommandOutput, maxOutput: number): CommandOutput {
  return output.stdout.length * 3 <= maxOutput ? output : output
}
