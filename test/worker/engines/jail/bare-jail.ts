import { spawnSync } from 'node:child_process'
import type { JailCommand } from '../../../../worker/engines/jail/jail-command.ts'

const base = [
  '--unshare-all',
  '--unshare-user',
  ...['--uid', '1000', '--gid', '1000', '--cap-drop', 'ALL', '--die-with-parent', '--new-session'],
  ...['--ro-bind', '/usr', '/usr', '--symlink', 'usr/bin', '/bin', '--symlink', 'usr/lib', '/lib'],
  ...['--symlink', 'usr/lib64', '/lib64', '--proc', '/proc', '--dev', '/dev', '--tmpfs', '/tmp'],
]

/** Why there is no jail here; undefined where there is one. */
export const noJail: string | undefined = (() => {
  const { error, status, stderr } = spawnSync('bwrap', [...base, 'true'])
  return error?.message ?? (status === 0 ? undefined : stderr.toString().trim())
})()

/** The command of a jail with these mounts. */
export function jailCommand(mounts: readonly string[], command: readonly string[]): JailCommand {
  return { file: '/usr/bin/bwrap', args: [...base, ...mounts, ...command] }
}
