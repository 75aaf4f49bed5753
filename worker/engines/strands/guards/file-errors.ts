import type { ErrorData } from '../../../../src/contract/errors.ts'
import type { Outcome } from '../../../../src/contract/shell-api.ts'
import type { FileOperation } from '../../../service/file-operation.ts'
import type { EngineFileError } from './engine-file-error.ts'
import { parseFileError } from './engine-file-error.ts'

type Failure = Extract<Outcome<never>, { ok: false }>

/** A failed outcome for `path`; `detail` is the engine's own text. */
export function fileFailure(
  code: ErrorData['code'],
  path: string,
  message: string,
  detail?: string,
): Failure {
  return {
    ok: false,
    error: { code, path, message, ...(detail === undefined || detail === '' ? {} : { detail }) },
  }
}

/** The refusal of a file that is larger than `limits.maxFileSize`, in bytes. */
export function tooLarge(
  operation: FileOperation,
  path: string,
  maxFileSize: number,
  size?: number,
): Failure {
  const came = size === undefined ? 'a larger file' : `${size} bytes`
  const message =
    `${operation} '${path}': expected at most ${maxFileSize} bytes (limits.maxFileSize), got ${came}; ` +
    'raise limits.maxFileSize or move the data in pieces'
  return {
    ok: false,
    error: {
      code: 'LIMIT_EXCEEDED',
      path,
      message,
      limit: { name: 'limits.maxFileSize', value: maxFileSize },
    },
  }
}

/** The refusal of an empty path, which the engine takes for the current directory. */
export function emptyPath(operation: FileOperation): Failure {
  return fileFailure('PATH_NOT_FOUND', '', `${operation}: expected a path, got an empty string`)
}

/**
 * Translates what the engine threw into an outcome by its words, since its code alone misleads: a
 * directory is EACCES to `removeFile` and EOTHER to `readFile`, a full inode table is EFBIG.
 *
 * @throws the error itself when it is not a file error (a panic).
 */
export function fileErrorOf(
  operation: FileOperation,
  path: string,
  error: unknown,
): { readonly engine: EngineFileError; readonly failure: Failure } {
  const engine = parseFileError(error, path)
  if (engine === null) throw error
  return { engine, failure: translate(operation, path, engine) }
}

function translate(operation: FileOperation, path: string, { code, text }: EngineFileError): Failure {
  const what = `${operation} '${path}'`
  const fail = (as: ErrorData['code'], message: string) => fileFailure(as, path, `${what}: ${message}`, text)
  if (/not a directory/i.test(text)) {
    return operation === 'listFiles' && !/: .*not a directory/i.test(text)
      ? fail('PATH_NOT_FOUND', 'expected a directory, got a file')
      : fail('PATH_NOT_FOUND', 'a parent of the path is not a directory')
  }
  if (/is a directory/i.test(text)) return fail('IO_ERROR', 'expected a file, got a directory')
  if (code === 'ENOENT') return fail('PATH_NOT_FOUND', 'no such file or directory')
  if (code === 'EACCES') {
    return fail(
      'PERMISSION_DENIED',
      /read-only/.test(text)
        ? 'permission denied: the path is in a read-only bind'
        : 'permission denied: the path is outside every writable place, or its mode forbids it',
    )
  }
  if (/symbolic links/.test(text)) return fail('IO_ERROR', 'the symbolic links of the path go in a circle')
  if (/already exists/.test(text)) return fail('IO_ERROR', 'the path is a symbolic link that leads nowhere')
  return fail('IO_ERROR', text)
}
