/** Directories that Strands Shell brings. */
export const ENGINE_DIRECTORIES: ReadonlySet<string> = new Set([
  '/',
  '/bin',
  '/dev',
  '/home',
  '/home/lash',
  '/tmp',
  '/usr',
  '/usr/bin',
])

/** Those of them in which a session can make files and directories. */
export const OPEN_DIRECTORIES: ReadonlySet<string> = new Set(['/home/lash', '/tmp'])

/** Whether a directory is the engine's and takes no new entries. */
export function isClosedDirectory(path: string): boolean {
  return ENGINE_DIRECTORIES.has(path) && !OPEN_DIRECTORIES.has(path)
}
