/** Builtins of bash that are programs in just-bash: a shell has them whatever its `PATH` is. */
const BUILTINS: ReadonlySet<string> = new Set([
  ...['alias', 'caller', 'echo', 'enable', 'fc', 'help', 'history', 'jobs', 'kill', 'printf', 'pwd'],
  ...['times', 'trap', 'ulimit', 'umask', 'unalias'],
])

/** Commands that only our programs call: `__save`. */
const isOwn = (name: string) => name.startsWith('__')

/**
 * Where just-bash looks for a program before it reads `PATH`. It would keep what it found there, also after `PATH` has
 * changed: this remembers nothing and knows the builtins.
 */
export class ProgramPaths extends Map<string, string> {
  override get(name: string): string | undefined {
    return BUILTINS.has(name) || isOwn(name) ? `/usr/bin/${name}` : undefined
  }

  override set(): this {
    return this
  }
}
