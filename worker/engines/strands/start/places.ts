import {
  ENGINE_DIRECTORIES,
  isClosedDirectory,
  OPEN_DIRECTORIES,
} from '../../../../src/contract/engine-directories.ts'
import type { StartRecord } from '../../../../src/contract/shell-record.ts'
import { prefixOf } from '../../../host-files/paths.ts'

/** What the engine has to be built with, so that a session can begin as its record says. */
export interface Places {
  /** Directories that it has to have, none inside another, and none in a bind. */
  readonly directories: readonly string[]
  /** Files that it has to have: they lie in a directory in which none can be made. */
  readonly files: readonly string[]
}

/**
 * The places that a session needs and the engine does not have. It takes new directories when it is built; later ones can be
 * made inside of those, of its home and of `/tmp`.
 *
 * @param bound - destinations of binds: what lies in them needs no place.
 */
export function placesOf(
  { files = [], directories = [], writable = [], cwd }: StartRecord,
  bound: readonly string[],
): Places {
  const roots = new Set<string>()
  const single = new Set<string>()
  const add = (path: string) => {
    const root = isIn(path, bound) ? undefined : rootOf(path)
    if (root !== undefined) roots.add(root)
  }
  for (const path of [...writable, ...directories.map(({ path }) => path)]) add(path)
  if (cwd !== undefined) add(cwd)
  for (const [path] of files) {
    const directory = parentOf(path)
    if (isClosedDirectory(directory)) single.add(path)
    else add(directory)
  }
  return { directories: [...roots], files: [...single].filter((path) => !roots.has(path)) }
}

/** The topmost directory of a path that has to be made ahead; undefined where none has to. */
function rootOf(path: string): string | undefined {
  let root = path
  if (ENGINE_DIRECTORIES.has(root)) return undefined
  while (!ENGINE_DIRECTORIES.has(parentOf(root))) root = parentOf(root)
  return OPEN_DIRECTORIES.has(parentOf(root)) ? undefined : root
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/')) || '/'
}

function isIn(path: string, bound: readonly string[]): boolean {
  return bound.some((place) => path === place || path.startsWith(prefixOf(place)))
}
