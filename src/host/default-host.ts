import type { Isolation } from '../contract/isolation.ts'
import type { EngineName } from '../contract/lease.ts'
import { UnsupportedError } from '../sandbox/errors.ts'
import { resolveHostOptions } from './resolve-options.ts'
import type { SessionRegistry } from './sandbox-host.ts'
import { SessionHost } from './session-host.ts'

/** What sandboxes of the default host have for themselves whose config does not say. */
export const DEFAULT_ISOLATION: Isolation = 'worker'

let host: SessionRegistry | undefined
let used = false
let defaultsFor: (shell: EngineName) => object | undefined = () => undefined

/** The host of sandboxes that name none: one a process, made at first use. It never keeps the process alive. */
export function defaultHost(): SessionRegistry {
  used = true
  host ??= new SessionHost(resolveHostOptions({ isolation: DEFAULT_ISOLATION }))
  return host
}

/** The default host, where there is one already; looking does not count as use. */
export function currentDefaultHost(): SessionRegistry | undefined {
  return host
}

/** What the default host says of the config of a shell's sandboxes; undefined where it says nothing. */
export function defaultsOfDefaultHost(shell: EngineName): object | undefined {
  return defaultsFor(shell)
}

/**
 * Puts a host in the place of the default one.
 *
 * @param defaults - what it says of the config of a shell's sandboxes.
 * @throws {UnsupportedError} once the default host was used
 */
export function replaceDefaultHost(
  replacement: SessionRegistry,
  defaults: (shell: EngineName) => object,
): void {
  if (used) {
    throw new UnsupportedError(
      'The default host is in use: sandboxes live on it. Call setDefaultHost before the first sandbox is used.',
    )
  }
  host = replacement
  defaultsFor = defaults
}
