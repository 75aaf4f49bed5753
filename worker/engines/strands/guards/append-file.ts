import type { Outcome } from '../../../../src/contract/shell-api.ts'
import type { NativeShell } from '../native-shell.ts'
import { guardedRead } from './read-file.ts'
import { guardedWrite } from './write-file.ts'

/**
 * Appends to a file: reads it and writes it with the addition, so that a file which would be too large stays as it is. The
 * engine makes a missing one, and its parents.
 *
 * @throws what is not a file error: a panic.
 */
export async function guardedAppend(
  shell: NativeShell,
  path: string,
  bytes: Uint8Array,
  maxFileSize: number,
): Promise<Outcome<null>> {
  const before = await guardedRead(shell, path, maxFileSize, 'appendFile')
  if (!before.ok && before.error.code !== 'PATH_NOT_FOUND') return before
  const content = before.ok ? Buffer.concat([before.value, bytes]) : bytes
  return guardedWrite(shell, path, content, maxFileSize, 'appendFile')
}
