import type { ErrorData, LossCode, LossData } from '../contract/errors.ts'

type Fields = Readonly<Record<string, unknown>>

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

/** True for an error as data, of the contract's shape. */
export function isErrorData(value: unknown): value is ErrorData {
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

/** True for a loss as data, of the contract's shape. */
export function isLossData(value: unknown): value is LossData {
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

/** True for anything whose fields can be looked at. */
export function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null
}
