import type { ErrorData } from '../../../../src/contract/errors.ts'

/** A file is larger than the sandbox allows. */
export class FileTooLarge extends Error {
  readonly limit: number

  constructor(path: string, size: number, limit: number) {
    super(`${path} has ${size} bytes; maxFileSize is ${limit}.`)
    this.limit = limit
  }
}

/** A failed file operation as data. */
export function fileFailure(path: string, error: unknown): ErrorData {
  const message = error instanceof Error ? error.message : String(error)
  if (error instanceof FileTooLarge)
    return { code: 'LIMIT_EXCEEDED', message, path, limit: { name: 'maxFileSize', value: error.limit } }
  const code = error instanceof Error && 'code' in error ? String(error.code) : message
  if (/ENOENT|ENOTDIR/.test(code)) return { code: 'PATH_NOT_FOUND', message: `${path} does not exist.`, path }
  if (/EACCES|EPERM|EROFS/.test(code))
    return { code: 'PERMISSION_DENIED', message: `${path} cannot be written.`, path, detail: message }
  if (/EFBIG|ENOSPC|limit/.test(code)) return { code: 'LIMIT_EXCEEDED', message: `${path}: ${message}`, path }
  return { code: 'IO_ERROR', message: message.includes(path) ? message : `${path}: ${message}`, path }
}
