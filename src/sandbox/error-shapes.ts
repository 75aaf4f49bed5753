import type { ErrorData, LossCode, LossData, MirrorData } from '../contract/errors.ts'

type Fields = Readonly<Record<string, unknown>>

const farErrorCodes: Record<ErrorData['code'], true> = {
  PATH_NOT_FOUND: true,
  PERMISSION_DENIED: true,
  LIMIT_EXCEEDED: true,
  IO_ERROR: true,
  MIRROR_FAILED: true,
  INVALID_CONFIG: true,
  WORKER_LOST: true,
  UNSUPPORTED: true,
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
  CELL_EXITED: true,
  CELL_STALLED: true,
  CELL_KILLED: true,
  CELL_MEMORY: true,
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
    (value['loss'] === undefined || isLossData(value['loss'])) &&
    (value['code'] === 'MIRROR_FAILED' ? isMirrorData(value['mirror']) : value['mirror'] === undefined)
  )
}

function isMirrorData(value: unknown): value is MirrorData {
  return (
    isRecord(value) &&
    isListOf(value['written'], isText) &&
    isListOf(value['pending'], isPending) &&
    (value['output'] === undefined || isOutput(value['output']))
  )
}

function isPending(value: unknown): value is MirrorData['pending'][number] {
  return isRecord(value) && isText(value['path']) && isText(value['reason'])
}

/** True for what a command left behind: an exit code of one byte, and two texts. */
export function isOutput(value: unknown): value is NonNullable<MirrorData['output']> {
  return isRecord(value) && isByte(value['exitCode']) && isText(value['stdout']) && isText(value['stderr'])
}

function isByte(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 255
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
    typeof value['message'] === 'string' &&
    isTextOrAbsent(value['output'])
  )
}

/** True for a string. */
export function isText(value: unknown): value is string {
  return typeof value === 'string'
}

/** True for a string or nothing. */
export function isTextOrAbsent(value: unknown): value is string | undefined {
  return value === undefined || isText(value)
}

/** True for an array without holes whose every item is right. */
export function isListOf<T>(value: unknown, isItem: (item: unknown) => item is T): value is T[] {
  if (!Array.isArray(value)) return false
  // An array of holes is few bytes on its way here, and as long as it likes: stop at the first.
  for (let index = 0; index < value.length; index++) {
    if (!Object.hasOwn(value, index) || !isItem(value[index])) return false
  }
  return true
}

/** True for anything whose fields can be looked at. */
export function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null
}
