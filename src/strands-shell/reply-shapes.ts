import type { ErrorData, LossCode, LossData } from '../contract/errors.ts'
import type { LossNotice } from '../contract/lease.ts'
import type { CommandOutput, FileEntry, Outcome, ShellDescription } from '../contract/shell-api.ts'

const farErrorCodes: Record<ErrorData['code'], true> = {
  PATH_NOT_FOUND: true,
  PERMISSION_DENIED: true,
  LIMIT_EXCEEDED: true,
  IO_ERROR: true,
  INVALID_CONFIG: true,
  WORKER_LOST: true,
  ENGINE_UNAVAILABLE: true,
}

const lossCodes: Record<LossCode, true> = {
  WORKER_EXITED: true,
  WORKER_FAILED: true,
  HEAP_EXHAUSTED: true,
  ENGINE_PANIC: true,
  DEADLINE_IGNORED: true,
  RESET: true,
  PROTOCOL: true,
}

type Fields = Readonly<Record<string, unknown>>

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
    Number.isInteger(value['exitCode']) &&
    typeof value['stdout'] === 'string' &&
    typeof value['stderr'] === 'string'
  )
}

export function isBytes(value: unknown): value is Uint8Array {
  return value instanceof Uint8Array
}

export function isNull(value: unknown): value is null {
  return value === null
}

export function isOptionalText(value: unknown): value is string | null {
  return value === null || typeof value === 'string'
}

export function isEntries(value: unknown): value is FileEntry[] {
  return Array.isArray(value) && value.every(isEntry)
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

function isEntry(value: unknown): value is FileEntry {
  return (
    isRecord(value) &&
    typeof value['name'] === 'string' &&
    typeof value['isDir'] === 'boolean' &&
    typeof value['size'] === 'number'
  )
}

function isErrorData(value: unknown): value is ErrorData {
  if (!isRecord(value) || typeof value['message'] !== 'string') return false
  if (typeof value['code'] !== 'string' || !Object.hasOwn(farErrorCodes, value['code'])) return false
  return (
    isTextOrAbsent(value['path']) &&
    isTextOrAbsent(value['field']) &&
    isTextOrAbsent(value['detail']) &&
    (value['limit'] === undefined || isLimit(value['limit'])) &&
    (value['loss'] === undefined || isLossData(value['loss']))
  )
}

function isLimit(value: unknown): boolean {
  return isRecord(value) && typeof value['name'] === 'string' && typeof value['value'] === 'number'
}

function isLossData(value: unknown): value is LossData {
  return (
    isRecord(value) &&
    typeof value['code'] === 'string' &&
    Object.hasOwn(lossCodes, value['code']) &&
    typeof value['message'] === 'string'
  )
}

function isTextOrAbsent(value: unknown): boolean {
  return value === undefined || typeof value === 'string'
}

function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null
}
