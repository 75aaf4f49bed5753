import type { CommandOutput } from '../contract/shell-api.ts'
import { matches, objectOf, text, valueThat } from './schema-parts.ts'

const byte = valueThat(
  (value): value is number => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 255,
)

/** What a command left behind. */
export const outputSchema = objectOf<CommandOutput>({ exitCode: byte, stdout: text, stderr: text })

/** True for what a command left behind. */
export function isCommandOutput(value: unknown): value is CommandOutput {
  return matches(outputSchema, value)
}
