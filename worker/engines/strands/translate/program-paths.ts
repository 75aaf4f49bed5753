const SHELLS: ReadonlySet<string> = new Set(
  'sh bash dash /bin/sh /bin/bash /usr/bin/bash /usr/bin/sh'.split(' '),
)

/** Whether a name is that of a shell. */
export function isShell(name: string | undefined): boolean {
  return name !== undefined && SHELLS.has(name)
}

/** Builtins that `env` would not find. */
export const SHELL: ReadonlySet<string> = new Set(
  '. : alias cd eval exec exit export local read return set shift source trap type umask unset wait'.split(
    ' ',
  ),
)

/** The name of a program by its path: the engine has an empty file there. Shells are known by their paths. */
export function programAt(path: string | undefined): string | undefined {
  const [, name = ''] = /^(?:\/usr)?\/bin\/([a-z]\w*|\[)$/.exec(path ?? '') ?? []
  return name === '' || name === 'time' || SHELL.has(name) || isShell(path) ? undefined : name
}
