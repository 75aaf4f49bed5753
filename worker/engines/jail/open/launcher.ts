import type { JailCommand } from '../jail-command.ts'

/** Pipes of the shell, and of the server of files. */
const PIPES = ['go', 'out', 'err', 'status', 'files-out', 'files-err', 'files-status'] as const

/** What is done in the process that becomes a jail: Node takes long to start one. */
export interface Launch {
  /** Where {@link PIPES} are made. An empty line on standard error says that they are there. Absent: none are. */
  readonly pipes?: string
  /** Directories of the control groups that it joins. */
  readonly groups: readonly string[]
}

/** Arguments: the directory of pipes, the count of control groups, these, then the command. */
const script = `
if [ -n "$1" ]; then
  PATH=/usr/bin:/bin mkfifo ${PIPES.map((name) => `"$1/${name}"`).join(' ')} || exit 125
  echo >&2
fi
count=$2; shift 2
while [ "$count" -gt 0 ]; do
  echo 0 > "$1/cgroup.procs" || exit 125
  count=$((count - 1)); shift
done
exec "$@"
`

/** The command that prepares what another one needs, and becomes it. */
export function launched({ file, args }: JailCommand, { pipes = '', groups }: Launch): JailCommand {
  const given = [pipes, String(groups.length), ...groups]
  return { file: '/bin/sh', args: ['-c', script, 'jail', ...given, file, ...args] }
}
