import * as v from 'valibot'
import type { ErrorCode } from '../contract/errors.ts'

/** Codes of what the service itself refuses, and their status. */
export const SERVICE_STATUS = {
  INVALID_REQUEST: 400,
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  CONFLICT: 409,
  TEMPLATE_GONE: 409,
  RESULT_GONE: 410,
  OTHER_INSTANCE: 412,
  TOO_LARGE: 413,
  UNSUPPORTED_MEDIA: 415,
  NOT_OWNER: 421,
  KEY_REUSED: 422,
  TOO_MANY_REQUESTS: 429,
  INTERNAL: 500,
  NOT_INSTALLED: 501,
  UNAVAILABLE: 503,
} as const

/** The code of what the service itself refuses. */
export type ServiceCode = keyof typeof SERVICE_STATUS

/** The status of each error of the library. */
const ERROR_STATUS: Readonly<Record<ErrorCode, number>> = {
  INVALID_CONFIG: 400,
  PERMISSION_DENIED: 403,
  PATH_NOT_FOUND: 404,
  ABORTED: 409,
  STALE_FENCE: 409,
  CLOSED: 410,
  LIMIT_EXCEEDED: 413,
  INVALID_SNAPSHOT: 422,
  IO_ERROR: 422,
  MIRROR_FAILED: 422,
  PROTOCOL: 500,
  WORKER_LOST: 500,
  UNSUPPORTED: 501,
  CONNECTION_FAILED: 502,
  CLUSTER_UNAVAILABLE: 503,
  ENGINE_UNAVAILABLE: 503,
  HOST_SATURATED: 503,
  TIMEOUT: 504,
  MEMORY_LIMIT: 507,
}

/** A problem of RFC 9457: `code` says which one, and what else it has is that of the error. */
export const problemSchema = v.looseObject({
  type: v.pipe(v.string(), v.description('urn:strands-shell-runtime: and the code.')),
  title: v.string(),
  status: v.number(),
  detail: v.pipe(v.string(), v.description('What was expected, what came and what to do.')),
  code: v.pipe(
    v.string(),
    v.description('A code of docs/errors.md, or one of the service: docs/serve.md lists them.'),
  ),
})

/** A problem as data. */
export type ProblemData = v.InferOutput<typeof problemSchema>

/** The problem of a code. */
export function problemOf(
  code: ErrorCode | ServiceCode,
  detail: string,
  fields: Readonly<Record<string, unknown>> = {},
): ProblemData {
  const status = isServiceCode(code) ? SERVICE_STATUS[code] : ERROR_STATUS[code]
  return {
    type: `urn:strands-shell-runtime:${code}`,
    title: code.toLowerCase().replaceAll('_', ' '),
    status,
    detail,
    code,
    ...fields,
  }
}

/** Whether a code is one of the service. */
function isServiceCode(code: string): code is ServiceCode {
  return Object.hasOwn(SERVICE_STATUS, code)
}

/** Whether a code is one of the library. */
export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERROR_STATUS, code)
}
