import { accessSync, constants } from 'node:fs'

const SHELL = '/bin/sh'
/** It becomes the program: the process id stays. A shell adds these variables to the environment. */
const script = `
ulimit -c 0 2>/dev/null
while [ "$1" != -- ]; do echo 0 > "$1/cgroup.procs" || exit 125; shift; done
shift
unset PWD OLDPWD
exec "$@"
`

/**
 * A program and its arguments, so that it leaves no core dump and is in its control groups. Node cannot set limits of processes: a
 * shell does, where there is one. It takes less than a millisecond.
 *
 * @param groups - directories of control groups.
 */
export function boundedCommand(
  program: string,
  args: readonly string[],
  groups: readonly string[],
): { readonly program: string; readonly args: readonly string[] } {
  try {
    accessSync(SHELL, constants.X_OK)
  } catch {
    return { program, args } // Windows, an image without a shell, or Node's permissions.
  }
  return { program: SHELL, args: ['-c', script, 'cell', ...groups, '--', program, ...args] }
}
