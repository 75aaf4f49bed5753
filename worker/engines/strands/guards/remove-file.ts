import type { Outcome } from '../../../../src/contract/shell-api.ts'
import type { NativeShell } from '../native-shell.ts'
import { emptyPath, fileErrorOf, fileFailure } from './file-errors.ts'

/**
 * Removes a file. A missing path outside the writable places is EACCES to the engine: it is looked for in
 * its parent before "permission denied" is believed.
 *
 * @throws what is not a file error: a panic.
 */
export async function guardedRemove(shell: NativeShell, path: string): Promise<Outcome<null>> {
  if (path === '') return emptyPath('removeFile')
  try {
    await shell.removeFile(path)
    return { ok: true, value: null }
  } catch (error) {
    const { failure } = fileErrorOf('removeFile', path, error)
    if (failure.error.code !== 'PERMISSION_DENIED' || (await exists(shell, path))) return failure
    return fileFailure('PATH_NOT_FOUND', path, `removeFile '${path}': no such file or directory`)
  }
}

/** True unless the parent's listing proves that there is no such entry. */
async function exists(shell: NativeShell, path: string): Promise<boolean> {
  const trimmed = path.replace(/\/+$/, '')
  const slash = trimmed.lastIndexOf('/')
  const name = trimmed.slice(slash + 1)
  if (name === '' || name === '.' || name === '..') return true
  const parent = slash < 0 ? '.' : trimmed.slice(0, slash) || '/'
  try {
    const entries = await shell.listFiles(parent)
    return entries.some((entry) => entry.name === name)
  } catch (error) {
    return fileErrorOf('listFiles', parent, error).failure.error.code !== 'PATH_NOT_FOUND'
  }
}
