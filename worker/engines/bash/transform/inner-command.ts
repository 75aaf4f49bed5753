/** Commands that rewritten scripts call, and no script by itself. */
const INNER: ReadonlySet<string> = new Set(
  [
    '__arith',
    '__discard',
    '__echo',
    '__eval',
    '__export',
    '__fork',
    '__functions',
    '__input',
    '__jobs',
    '__left',
    '__readonly',
    '__run',
    '__save',
    '__stdin',
    '__syntax',
    '__took',
    '__wait',
    '__yes',
  ].map(innerPath),
)

/** Builtins of bash that are programs in just-bash. */
const BUILTINS: ReadonlySet<string> = new Set(
  [
    ...[
      'alias',
      'caller',
      'echo',
      'enable',
      'false',
      'fc',
      'help',
      'history',
      'jobs',
      'kill',
      'printf',
      'pwd',
    ],
    ...['times', 'trap', 'true', 'ulimit', 'umask', 'unalias'],
  ].map(innerPath),
)

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
  return INNER.has(path)
}

/** True for what every shell has, whatever is removed: the file system says that it is there. */
export function isPartOfShell(path: string): boolean {
  return isInner(path) || BUILTINS.has(path)
}
