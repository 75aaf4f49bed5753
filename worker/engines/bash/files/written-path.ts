import { posix } from 'node:path'
import type { IFileSystem } from '../just-bash.ts'
import { unlikePinned } from '../just-bash.ts'
import { FileError } from './file-error.ts'

/** How many links one path may lead through. */
export const MAX_LINKS = 40

type Files = Pick<IFileSystem, 'exists' | 'lstat' | 'readlink' | 'realpath' | 'resolvePath'>

/** The place of a path's last name, behind the links that lead to its directory: just-bash looks for it under their names. */
export async function placeOf(path: string, files: Files): Promise<string> {
  const parent = posix.dirname(path)
  if (parent === path) return path
  const folder = (await files.exists(parent)) ? await files.realpath(parent) : await placeOf(parent, files)
  return posix.join(folder, posix.basename(path))
}

/**
 * Where links lead that a file is written through: just-bash writes in place of a link.
 *
 * @throws FileError `ELOOP`
 */
export async function writtenPath(written: string, files: Files): Promise<string> {
  let path = written
  for (let links = 0; links <= MAX_LINKS; links += 1) {
    const place = await placeOf(path, files)
    if (!(await isLink(place, files))) return place
    path = files.resolvePath(posix.dirname(place), await files.readlink(place))
  }
  throw new FileError('ELOOP', 'open', written)
}

async function isLink(path: string, files: Files): Promise<boolean> {
  try {
    return (await files.lstat(path)).isSymbolicLink
  } catch {
    // There is nothing at the path.
    return false
  }
}

/**
 * Has the files know of links that a checkpoint brings back.
 *
 * @throws TypeError where this is not the pinned version of just-bash
 */
export function noteRestoredLinks(memory: { hasLinks: boolean }): void {
  const set: unknown = Reflect.get(memory, 'setEntry')
  if (typeof set !== 'function') throw unlikePinned('keeps its files')
  Reflect.set(memory, 'setEntry', (path: string, entry: { readonly type: string }) => {
    if (entry.type === 'symlink') memory.hasLinks = true
    set.call(memory, path, entry)
  })
}
