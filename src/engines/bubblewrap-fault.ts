/** Why there can be no jail on this machine, and what to do. Both are sentences. */
export interface BubblewrapFault {
  readonly reason: string
  readonly remedy: string
}

/** What a fault depends on besides what `bwrap` printed. */
export interface KernelFacts {
  /** `kernel.unprivileged_userns_clone`, where the kernel has it. */
  readonly unprivilegedNamespaces: number | undefined
  /** `user.max_user_namespaces` */
  readonly mostNamespaces: number | undefined
  /** `kernel.apparmor_restrict_unprivileged_userns`, where the kernel has it. */
  readonly apparmor: number | undefined
  /** Whether this process is in a container. */
  readonly inContainer: boolean
}

export const notInstalled: BubblewrapFault = {
  reason: 'bubblewrap is not installed: there is no bwrap in PATH.',
  remedy:
    'Install it: apt-get install bubblewrap (Debian, Ubuntu), dnf install bubblewrap (Fedora, RHEL), apk add bubblewrap (Alpine).',
}

const newer: BubblewrapFault = {
  reason: 'This bubblewrap is too old.',
  remedy: 'Install bubblewrap 0.7 or newer: Debian 12 and Ubuntu 24.04 have it.',
}

const container: BubblewrapFault = {
  reason: 'The container does not let bubblewrap make namespaces and mounts.',
  remedy:
    'Start it with --security-opt seccomp=unconfined --security-opt apparmor=unconfined --security-opt systempaths=unconfined (Docker, Podman), ' +
    'or with seccompProfile Unconfined, procMount Unmasked and hostUsers false (Kubernetes).',
}

const apparmor: BubblewrapFault = {
  reason:
    'AppArmor keeps bubblewrap from making user namespaces (kernel.apparmor_restrict_unprivileged_userns is 1).',
  remedy:
    'Write /etc/apparmor.d/bwrap with: abi <abi/4.0>, include <tunables/global> profile bwrap /usr/bin/bwrap flags=(unconfined) { userns, } and run: apparmor_parser -r /etc/apparmor.d/bwrap',
}

/** Explains why `bwrap` could not run a program. @param printed - its standard error. */
export function bubblewrapFault(printed: string, facts: KernelFacts): BubblewrapFault {
  const said = printed.trim().replaceAll('\n', ' ')
  if (/unknown option/i.test(said)) return told(newer, said)
  if (facts.unprivilegedNamespaces === 0)
    return told(switchedOff('kernel.unprivileged_userns_clone', 1), said)
  if (facts.mostNamespaces === 0) return told(switchedOff('user.max_user_namespaces', 65_536), said)
  if (/permitted|permission denied|ENOSPC|no space/i.test(said)) {
    if (facts.inContainer) return told(container, said)
    if (facts.apparmor === 1) return told(apparmor, said)
  }
  return {
    reason: `bubblewrap cannot make a jail here: ${said || 'it printed nothing'}.`,
    remedy: 'Run: bwrap --unshare-all --unshare-user --ro-bind / / --proc /proc --dev /dev true',
  }
}

function switchedOff(setting: string, value: number): BubblewrapFault {
  return {
    reason: `User namespaces are switched off (${setting} is 0).`,
    remedy: `Switch them on, as root: sysctl -w ${setting}=${value}`,
  }
}

function told({ reason, remedy }: BubblewrapFault, said: string): BubblewrapFault {
  return { reason: `${reason} It said: ${said || 'nothing'}.`, remedy }
}
