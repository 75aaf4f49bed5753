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
