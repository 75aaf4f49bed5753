import { lstatSync, readlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'

const MAX_LINKS = 40
const MISSING = new Set(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG'])

/**
 * Where a path of the host really leads: every link followed, also in paths whose end does not exist yet. What is
 * missing is taken as it is written.
 *
 * @param path - Absolute.
 * @throws Error where that cannot be told, as for a loop of links or a directory that may not be searched
 */
export function realPath(path: string): string {
  const pending = components(path)
  let current = '/'
  let links = 0
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    if (name === '..') {
      current = dirname(current)
      continue
    }
    const next = join(current, name)
    const target = linkTarget(next)
    if (target === undefined) {
      current = next
      continue
    }
    if (++links > MAX_LINKS) throw new Error('too many symbolic links')
    if (target.startsWith('/')) current = '/'
    pending.push(...components(target))
  }
  return current
}

/** The part of a path below a directory, `.` for the directory itself; undefined where it is not below. */
export function below(directory: string, path: string): string | undefined {
  if (path === directory) return '.'
  const prefix = directory === '/' ? '/' : `${directory}/`
  return path.startsWith(prefix) ? path.slice(prefix.length) : undefined
}

/** The names of a path, the last one first. */
function components(path: string): string[] {
  return path
    .split('/')
    .filter((name) => name !== '' && name !== '.')
    .reverse()
}

function linkTarget(path: string): string | undefined {
  try {
    return lstatSync(path).isSymbolicLink() ? readlinkSync(path) : undefined
  } catch (error) {
    if (MISSING.has(errorCode(error))) return undefined
    throw error
  }
}

/** The code of an error of the file system, or an empty text. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
