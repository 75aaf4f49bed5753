import { posix } from 'node:path'
import { ENGINE_DIRECTORIES } from '../contract/engine-directories.ts'

/** Whether a path can be a bind's place inside the sandbox: absolute, and without `..`. */
export function isDestination(path: string): boolean {
  return path.startsWith('/') && !path.split('/').includes('..')
}

/** Writes a destination in its one form: no doubled or trailing slash, no `.`. */
export function normalizeDestination(path: string): string {
  const normal = posix.normalize(path)
  return normal.length > 1 && normal.endsWith('/') ? normal.slice(0, -1) : normal
}

/** Whether a destination in its one form exists in every sandbox, so that no direct bind can take its place. */
export function isEngineDirectory(path: string): boolean {
  return ENGINE_DIRECTORIES.has(path)
}
