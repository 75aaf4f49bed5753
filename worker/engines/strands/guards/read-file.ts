import type { Outcome } from '../../../../src/contract/shell-api.ts'
import type { FileOperation } from '../../../service/file-operation.ts'
import type { NativeShell } from '../native-shell.ts'
import { emptyPath, fileErrorOf, tooLarge } from './file-errors.ts'

/**
 * Reads a file. Relative paths resolve against the session's directory (the engine does that).
 *
 * `maxFileSize` in bytes is named in the error: the engine reads no file larger than that, not even from
 * a bind.
 *
 * @throws what is not a file error: a panic.
 */
export async function guardedRead(
  shell: NativeShell,
  path: string,
  maxFileSize: number,
  operation: FileOperation = 'readFile',
): Promise<Outcome<Uint8Array>> {
  if (path === '') return emptyPath(operation)
  try {
    return { ok: true, value: await shell.readFile(path) }
  } catch (error) {
    const { engine, failure } = fileErrorOf(operation, path, error)
    return engine.code === 'EFBIG' ? tooLarge(operation, path, maxFileSize) : failure
  }
}
