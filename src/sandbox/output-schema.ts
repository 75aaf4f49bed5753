import type { CommandOutput } from '../contract/shell-api.ts'
import { isRecord } from './is-record.ts'
import { objectOf, text, valueThat } from './schema-parts.ts'

const isByte = (value: unknown): value is number =>
  Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 255

/** What a command left behind. */
export const outputSchema = objectOf<CommandOutput>({
  exitCode: valueThat(isByte),
  stdout: text,
  stderr: text,
})

/** True for what a command left behind. Every reply to a command is asked: the schema takes 1 us. */
export function isCommandOutput(value: unknown): value is CommandOutput {
  return (
    isRecord(value) &&
    isByte(value['exitCode']) &&
    typeof value['stdout'] === 'string' &&
    typeof value['stderr'] === 'string'
  )
}
