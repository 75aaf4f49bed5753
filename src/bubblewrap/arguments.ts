import type { JailMount, JailPlan } from './plan.ts'

/**
 * The arguments of `bwrap` (0.7 or newer) for a jail: namespaces of its own, no capability, no terminal of the host, and an end
 * together with the thread that starts it. Descriptors that `bwrap` inherits and does not use itself pass into the jail.
 */
export function bubblewrapArguments(plan: JailPlan): string[] {
  const { network, user, hostname, directory, environment, seccompFd, mounts, command } = plan
  return [
    '--unshare-all',
    // Root gets one, too.
    '--unshare-user',
    ...(network === 'host' ? ['--share-net'] : []),
    '--uid',
    String(user.uid),
    '--gid',
    String(user.gid),
    '--cap-drop',
    'ALL',
    '--die-with-parent',
    '--new-session',
    ...(hostname === undefined ? [] : ['--hostname', hostname]),
    ...(environment === undefined ? [] : environmentArguments(environment)),
    ...mounts.flatMap(mountArguments),
    '--chdir',
    directory,
    '--seccomp',
    String(seccompFd),
    '--',
    ...command,
  ]
}

function environmentArguments(environment: Readonly<Record<string, string>>): string[] {
  return ['--clearenv', ...Object.entries(environment).flatMap(([name, value]) => ['--setenv', name, value])]
}

function mountArguments(mount: JailMount): string[] {
  const { destination } = mount
  switch (mount.kind) {
    case 'bind': {
      const option = `--${mount.writable === true ? '' : 'ro-'}bind${mount.optional === true ? '-try' : ''}`
      return [option, mount.source, destination]
    }
    case 'tmpfs':
      return [
        ...permissions(mount.mode),
        ...(mount.size === undefined ? [] : ['--size', String(mount.size)]),
        '--tmpfs',
        destination,
      ]
    case 'directory':
      return [...permissions(mount.mode), '--dir', destination]
    case 'symlink':
      return ['--symlink', mount.target, destination]
    case 'data':
      return [...permissions(mount.mode), '--ro-bind-data', String(mount.fd), destination]
    case 'readonly':
      return ['--remount-ro', destination]
    case 'proc':
      return ['--proc', destination, ...settings.flatMap((name) => covered(name, destination))]
    case 'dev':
      return ['--dev', destination]
  }
}

/** What of `/proc` belongs to the whole machine, `bwrap` does not cover by itself, and may be written by whoever is root outside, whatever it is inside. */
const settings = ['sys', 'irq', 'bus', 'fs', 'acpi', 'scsi', 'mtrr']

function covered(name: string, proc: string): string[] {
  return ['--ro-bind-try', `/proc/${name}`, `${proc}/${name}`]
}

function permissions(mode: number | undefined): string[] {
  return mode === undefined ? [] : ['--perms', mode.toString(8).padStart(4, '0')]
}
