import type { ErrorData } from '../../src/contract/errors.ts'
import { errorMessage } from './error-message.ts'
import type { FileOperation } from './file-operation.ts'
import { systemCode } from './system-code.ts'

/** A file is larger than the sandbox allows. */
export class FileTooLarge extends Error {
  readonly limit: number

  constructor(size: number, limit: number) {
    super(`expected at most ${limit} bytes (limits.maxFileSize), got ${size} bytes; raise the limit`)
    this.limit = limit
  }
}

/** A failed file operation as data. */
export function fileFailure(operation: FileOperation, path: string, error: unknown): ErrorData {
  const detail = errorMessage(error)
  const fail = (code: ErrorData['code'], reason: string): ErrorData => ({
    code,
    message: `${operation} '${path}': ${reason}`,
    path,
    detail,
  })
  if (error instanceof FileTooLarge) {
    const { code, message } = fail('LIMIT_EXCEEDED', detail)
    return { code, message, path, limit: { name: 'limits.maxFileSize', value: error.limit } }
  }
  const holder: unknown = error instanceof Error ? Reflect.get(error, 'protectedBy') : undefined
  if (typeof holder === 'string')
    return fail('PERMISSION_DENIED', `the policy of this sandbox protects '${holder}': write elsewhere`)
  // Messages that programs print name no code.
  const code = systemCode(error) ?? detail
  if (/ENOTDIR/.test(code)) return fail('PATH_NOT_FOUND', 'a part of the path is not a directory')
  if (/ENOENT/.test(code)) return fail('PATH_NOT_FOUND', 'no such file or directory')
  if (/EISDIR/.test(code)) return fail('IO_ERROR', 'expected a file, got a directory')
  if (/EEXIST/.test(code)) return fail('IO_ERROR', 'there is something already')
  if (/EACCES|EPERM|EROFS/.test(code)) return fail('PERMISSION_DENIED', 'permission denied')
  if (error instanceof Error && Reflect.get(error, 'isOfHost') === true)
    return fail('IO_ERROR', `${detail} (on the host)`)
  if (/EFBIG|ENOSPC|limit/.test(code)) return fail('LIMIT_EXCEEDED', detail)
  return fail('IO_ERROR', detail)
}
