import type { ShellHostOptions } from '../../shell-host/options.ts'

/**
 * Options of a host that has a place for each of so many sessions. A call that waits for one in vain says so before its
 * client stops waiting, which most do after a minute.
 */
export function hostOptionsFor(maxSessions: number): ShellHostOptions {
  return { maxSandboxes: maxSessions, openTimeout: 20 }
}
