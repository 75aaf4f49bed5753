import type { FileEntry, Outcome } from '../../../../src/contract/shell-api.ts'
import type { NativeEntry, NativeShell } from '../native-shell.ts'
import { compareCodePoints } from './code-point-order.ts'
import { emptyPath, fileErrorOf } from './file-errors.ts'
import { isDirectory } from './is-directory.ts'

/**
 * Lists a directory, sorted by code point, every entry with a size (0 where the engine gives none).
 *
 * The engine shows the root of a direct bind as a file: an entry with the last name of one of
 * `bindDestinations` is tried as a directory, which costs a call only for such names.
 *
 * @throws what is not a file error: a panic.
 */
export async function guardedList(
  shell: NativeShell,
  path: string,
  bindDestinations: readonly string[],
): Promise<Outcome<FileEntry[]>> {
  if (path === '') return emptyPath('listFiles')
  try {
    const listed = await shell.listFiles(path)
    const roots = new Set(bindDestinations.map(lastName))
    const entries: FileEntry[] = []
    for (const entry of listed) {
      entries.push(await settle(shell, path, entry, !entry.isDir && roots.has(entry.name)))
    }
    entries.sort((a, b) => compareCodePoints(a.name, b.name))
    return { ok: true, value: entries }
  } catch (error) {
    return fileErrorOf('listFiles', path, error).failure
  }
}

async function settle(
  shell: NativeShell,
  path: string,
  { name, isDir, size }: NativeEntry,
  suspect: boolean,
): Promise<FileEntry> {
  if (suspect && (await isDirectory(shell, `${path.replace(/\/+$/, '')}/${name}`))) {
    return { name, isDir: true, size: 0 }
  }
  return { name, isDir, size: size ?? 0 }
}

function lastName(destination: string): string {
  return destination.replace(/\/+$/, '').split('/').pop() ?? ''
}
