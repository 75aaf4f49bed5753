import type { CommandOutput, TruncatedOutput } from '../contract/shell-api.ts'
import { isRecord } from './is-record.ts'
import { valueThat } from './schema-parts.ts'

/** True for what a command left behind. By hand: a schema takes 13 us, at every command. */
export function isCommandOutput(value: unknown): value is CommandOutput {
  return (
    isRecord(value) &&
    isByte(value['exitCode']) &&
    typeof value['stdout'] === 'string' &&
    typeof value['stderr'] === 'string' &&
    typeof value['timedOut'] === 'boolean' &&
    (value['truncated'] === false || isTruncatedOutput(value['truncated'])) &&
    isDuration(value['durationMs']) &&
    isChanged(value['changed'])
  )
}

/** What a command left behind. */
export const outputSchema = valueThat(isCommandOutput)

/** Paths that an output tells, at most. */
const mostChanged = 100

function isChanged(value: unknown): boolean {
  if (value === undefined) return true
  if (!Array.isArray(value) || value.length > mostChanged) return false
  return Array.from<unknown>(value).every((path) => typeof path === 'string')
}

/** True for an exit code. */
export function isByte(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 255
}

function isDuration(value: unknown): boolean {
  return Number.isFinite(value) && Number(value) >= 0
}

function isTruncatedOutput(value: unknown): value is TruncatedOutput {
  if (!isRecord(value)) return false
  const { stdout, stderr } = value
  return (stdout !== undefined || stderr !== undefined) && isLoss(stdout) && isLoss(stderr)
}

/** Undefined, or a number of bytes of at least 1. */
function isLoss(value: unknown): boolean {
  return value === undefined || (Number.isSafeInteger(value) && Number(value) > 0)
}
