import { posix } from 'node:path'

const engineDirectories: ReadonlySet<string> = new Set([
  '/',
  '/bin',
  '/dev',
  '/home',
  '/home/lash',
  '/tmp',
  '/usr',
  '/usr/bin',
])

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
  return engineDirectories.has(path)
}
