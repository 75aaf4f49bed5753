import type { ErrorData, LossCode, LossData, MirrorData } from '../contract/errors.ts'
import { isByte } from './output-schema.ts'
import { listOf, matches, number, objectOf, oneOf, orAbsent, text, valueThat } from './schema-parts.ts'

const farErrorCode = oneOf<ErrorData['code']>({
  PATH_NOT_FOUND: true,
  PERMISSION_DENIED: true,
  LIMIT_EXCEEDED: true,
  IO_ERROR: true,
  MIRROR_FAILED: true,
  INVALID_CONFIG: true,
  WORKER_LOST: true,
  UNSUPPORTED: true,
  ENGINE_UNAVAILABLE: true,
})

const lossCode = oneOf<LossCode>({
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
  NODE_LOST: true,
  HOST_CLOSED: true,
})

/** Whether a value names a way to lose a session. */
export function isLossCode(value: unknown): value is LossCode {
  return matches(lossCode, value)
}

/** A loss as data. */
export const lossSchema = objectOf<LossData>({ code: lossCode, message: text, output: orAbsent(text) })

const mirrorSchema = objectOf<MirrorData>({
  written: listOf(text),
  pending: listOf(objectOf<MirrorData['pending'][number]>({ path: text, reason: text })),
  output: orAbsent(
    objectOf<NonNullable<MirrorData['output']>>({ exitCode: valueThat(isByte), stdout: text, stderr: text }),
  ),
})

const fieldsSchema = objectOf<ErrorData>({
  code: farErrorCode,
  message: text,
  path: orAbsent(text),
  field: orAbsent(text),
  limit: orAbsent(objectOf<NonNullable<ErrorData['limit']>>({ name: text, value: number })),
  loss: orAbsent(lossSchema),
  mirror: orAbsent(mirrorSchema),
  detail: orAbsent(text),
})

/** An error as data. `MIRROR_FAILED`, and no other, says how far writing came. */
export const errorSchema = valueThat(
  (value): value is ErrorData =>
    matches(fieldsSchema, value) && (value.code === 'MIRROR_FAILED') === (value.mirror !== undefined),
)

/** True for an error as data, of the contract's shape. */
export function isErrorData(value: unknown): value is ErrorData {
  return matches(errorSchema, value)
}

/** True for a loss as data, of the contract's shape. */
export function isLossData(value: unknown): value is LossData {
  return matches(lossSchema, value)
}
