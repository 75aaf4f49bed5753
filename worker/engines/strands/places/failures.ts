import type { Outcome } from '../../../../src/contract/shell-api.ts'
import { FarError } from '../../../service/far-error.ts'
import type { FileOperation } from '../../../service/file-operation.ts'
import { fileFailure } from '../guards/file-errors.ts'
import { outOfInodes } from '../guards/write-file.ts'
import type { NativeShell } from '../native-shell.ts'
import { quoted } from '../quoting.ts'

type Failure = Extract<Outcome<never>, { ok: false }>

/** A path as a word of a command, which no command takes for an option. */
export function word(path: string): string {
  return quoted(path.startsWith('/') ? path : `./${path}`)
}

/** The directory that holds an entry. */
export function parentPath(path: string): string {
  const at = path.lastIndexOf('/')
  return at < 0 ? '.' : path.slice(0, at) || '/'
}

export function missing(operation: FileOperation, path: string): Failure {
  return fileFailure('PATH_NOT_FOUND', path, `${operation} '${path}': no such file or directory`)
}

export function refused(operation: FileOperation, path: string, why: string): Failure {
  return fileFailure('IO_ERROR', path, `${operation} '${path}': ${why}`)
}

/** What the words of the engine's commands stand for. */
export async function failureOf(
  shell: NativeShell,
  operation: FileOperation,
  path: string,
  text: string,
): Promise<Failure> {
  const what = `${operation} '${path}'`
  if (/inode/i.test(text)) return outOfInodes(shell, path, text, operation)
  if (/permission denied|read-only/i.test(text)) {
    const why = 'permission denied: the path is outside every writable place, or its mode forbids it'
    return fileFailure('PERMISSION_DENIED', path, `${what}: ${why}`, text)
  }
  if (/not a directory/i.test(text)) {
    return fileFailure('PATH_NOT_FOUND', path, `${what}: a part of the path is not a directory`, text)
  }
  return fileFailure('IO_ERROR', path, `${what}: ${text}`, text)
}

/** The engine's deadline ended a command of a file operation. */
export function cutShort(): never {
  throw new FarError({
    code: 'IO_ERROR',
    message:
      'The time limit of commands ended the operation halfway. Raise timeout, or take a part at a time.',
  })
}
