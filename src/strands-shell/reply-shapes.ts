import type { LossNotice } from '../contract/lease.ts'
import type { CommandOutput, FileEntry, Outcome, ShellDescription } from '../contract/shell-api.ts'
import { isErrorData, isLossData, isRecord } from '../sandbox/error-shapes.ts'

/** True for a reply of the contract's shape, whatever its value is. */
export function isOutcome(reply: unknown): reply is Outcome<unknown> {
  if (!isRecord(reply)) return false
  return reply['ok'] === true ? 'value' in reply : reply['ok'] === false && isErrorData(reply['error'])
}

/** True for a worker's notice that its session is over. */
export function isLossNotice(message: unknown): message is LossNotice {
  return isRecord(message) && message['notice'] === 'lost' && isLossData(message['loss'])
}

export function isCommandOutput(value: unknown): value is CommandOutput {
  return (
    isRecord(value) &&
    isByte(value['exitCode']) &&
    typeof value['stdout'] === 'string' &&
    typeof value['stderr'] === 'string'
  )
}

export function isBytes(value: unknown): value is Uint8Array {
  return value instanceof Uint8Array
}

export function isBuffer(value: unknown): value is ArrayBuffer {
  return value instanceof ArrayBuffer
}

export function isNull(value: unknown): value is null {
  return value === null
}

export function isOptionalText(value: unknown): value is string | null {
  return value === null || typeof value === 'string'
}

export function isEntries(value: unknown): value is FileEntry[] {
  // `every` passes over holes.
  return Array.isArray(value) && [...value].every(isEntry)
}

export function isDescription(value: unknown): value is ShellDescription {
  return (
    isRecord(value) &&
    ['binds', 'credentials', 'allowedUrls'].every((field) => Array.isArray(value[field])) &&
    isRecord(value['env']) &&
    isRecord(value['limits']) &&
    typeof value['umask'] === 'number' &&
    typeof value['timeout'] === 'number'
  )
}

function isByte(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 255
}

function isEntry(value: unknown): value is FileEntry {
  return (
    isRecord(value) &&
    typeof value['name'] === 'string' &&
    typeof value['isDir'] === 'boolean' &&
    Number.isSafeInteger(value['size'])
  )
}
