const PREFIX = '/usr/bin/__'

/** Builtins of bash that just-bash has as programs. */
export const PROGRAM_BUILTINS = ['echo', 'false', 'kill', 'printf', 'pwd', 'true', 'umask'] as const

const builtinPaths: ReadonlySet<string> = new Set(PROGRAM_BUILTINS.map((name) => `/usr/bin/${name}`))

/**
 * The path that rewritten scripts call one of our inner commands by. A plain name would be looked up in `PATH`, which is
 * the script's to change, and be found by `ls /usr/bin`.
 *
 * @param name - begins with `__`
 */
export function innerPath(name: string): string {
  return `/usr/bin/${name}`
}

/** True for the path of an inner command. */
export function isInner(path: string): boolean {
  return path.startsWith(PREFIX)
}

/** True for what every shell has, whatever is removed: the file system says that it is there. */
export function isPartOfShell(path: string): boolean {
  return isInner(path) || builtinPaths.has(path)
}
