import { types } from 'node:util'

/**
 * Whether a value is an error, of any realm: where this package runs in a context of its own, as in some test runners, the
 * errors of Node are no instances of the `Error` there. The same holds for what comes from a thread or a file.
 */
export function isError(value: unknown): value is Error {
  return types.isNativeError(value) || value instanceof Error
}

/** What a thrown value says. */
export function errorMessage(thrown: unknown): string {
  return isError(thrown) ? thrown.message : String(thrown)
}

/** Whether a value is bytes in memory that is not shared, of any realm. */
export function isOwnBytes(value: unknown): value is Uint8Array<ArrayBuffer> {
  return types.isUint8Array(value) && types.isArrayBuffer(value.buffer)
}
