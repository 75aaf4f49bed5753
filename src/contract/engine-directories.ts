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
