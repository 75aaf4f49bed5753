import type { NativeShell } from '../native-shell.ts'
import { fileErrorOf } from './file-errors.ts'

/**
 * Tells whether the engine lists `path` as a directory.
 *
 * @throws what is not a file error: a panic.
 */
export async function isDirectory(shell: NativeShell, path: string): Promise<boolean> {
  try {
    await shell.listFiles(path)
    return true
  } catch (error) {
    fileErrorOf('listFiles', path, error)
    return false
  }
}
