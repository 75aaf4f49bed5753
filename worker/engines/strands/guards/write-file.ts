import type { Outcome } from '../../../../src/contract/shell-api.ts'
import type { FileOperation } from '../../../service/file-operation.ts'
import type { NativeShell } from '../native-shell.ts'
import { emptyPath, fileErrorOf, fileFailure, tooLarge } from './file-errors.ts'
import { isDirectory } from './is-directory.ts'

/**
 * Writes a file; the engine makes its parents. `bytes` must not change while the call runs: the engine
 * reads the buffer from its own thread.
 *
 * Refuses what is over `maxFileSize` bytes (0: no limit) before the engine sees it, which would empty the
 * target first. Anything else the engine refuses, it refuses before it opens the target; only then is
 * a second call spent on finding out why.
 *
 * @throws what is not a file error: a panic.
 */
export async function guardedWrite(
  shell: NativeShell,
  path: string,
  bytes: Uint8Array,
  maxFileSize: number,
  operation: FileOperation = 'writeFile',
): Promise<Outcome<null>> {
  if (path === '') return emptyPath(operation)
  if (maxFileSize > 0 && bytes.byteLength > maxFileSize) {
    return tooLarge(operation, path, maxFileSize, bytes.byteLength)
  }
  // The engine would make a file of that name without the slash.
  if (path.endsWith('/')) {
    return fileFailure(
      'IO_ERROR',
      path,
      `${operation} '${path}': expected a file, got the name of a directory`,
    )
  }
  try {
    await shell.writeFile(path, bytes)
    return { ok: true, value: null }
  } catch (error) {
    const { engine, failure } = fileErrorOf(operation, path, error)
    return engine.code === 'EFBIG' ? diagnose(shell, operation, path, engine.text) : failure
  }
}

/** Names the cause behind an EFBIG for content within the cap. */
async function diagnose(
  shell: NativeShell,
  operation: FileOperation,
  path: string,
  text: string,
): Promise<Outcome<null>> {
  if (/inode/.test(text)) return outOfInodes(shell, path, text, operation)
  const what = `${operation} '${path}'`
  if (await isDirectory(shell, path)) {
    return fileFailure('IO_ERROR', path, `${what}: expected a file, got a directory`)
  }
  const advice = 'it is a device, its name is too long, or the host refused it'
  return fileFailure('IO_ERROR', path, `${what}: the path does not take this file: ${advice}`)
}

/** The refusal of a file where the sandbox holds as many as it may. */
export async function outOfInodes(
  shell: NativeShell,
  path: string,
  detail: string,
  operation: FileOperation = 'writeFile',
): Promise<Extract<Outcome<never>, { ok: false }>> {
  const { limits } = (await shell.config()) as { readonly limits: { readonly maxInodes: number } }
  const value = limits.maxInodes
  const message = `${operation} '${path}': the sandbox holds ${value} files and directories (limits.maxInodes), its most; remove some or raise the limit`
  return {
    ok: false,
    error: { code: 'LIMIT_EXCEEDED', path, message, limit: { name: 'limits.maxInodes', value }, detail },
  }
}
