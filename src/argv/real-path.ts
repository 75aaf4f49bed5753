import { lstatSync, readlinkSync } from 'node:fs'
import { errorCode } from '../sandbox/error-code.ts'

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
  const current: string[] = []
  /** How many names of `current` lead to the first one that is missing: nothing is below it. */
  let missing = Number.POSITIVE_INFINITY
  let links = 0
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    if (name === '..') {
      current.pop()
      if (current.length < missing) missing = Number.POSITIVE_INFINITY
      continue
    }
    current.push(name)
    if (current.length > missing) continue
    const target = linkTarget(`/${current.join('/')}`)
    if (target === 'missing') missing = current.length
    if (typeof target === 'string') continue
    if (++links > MAX_LINKS) throw new Error('too many symbolic links')
    current.pop()
    if (target.path.startsWith('/')) current.length = 0
    pending.push(...components(target.path))
  }
  return `/${current.join('/')}`
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

function linkTarget(path: string): 'missing' | 'no link' | { readonly path: string } {
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false })
    if (stats === undefined) return 'missing'
    return stats.isSymbolicLink() ? { path: readlinkSync(path) } : 'no link'
  } catch (error) {
    if (MISSING.has(errorCode(error) ?? '')) return 'missing'
    throw error
  }
}
