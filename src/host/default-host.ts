import type { Isolation } from '../contract/isolation.ts'
import { UnsupportedError } from '../sandbox/errors.ts'
import { resolveHostOptions } from './resolve-options.ts'
import type { SessionRegistry } from './sandbox-host.ts'
import { SessionHost } from './session-host.ts'

/** What sandboxes of the default host have for themselves whose config does not say. */
export const DEFAULT_ISOLATION: Isolation = 'worker'

let host: SessionRegistry | undefined
let used = false

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

/** Puts a host in the place of the default one. @throws {UnsupportedError} once that was used */
export function replaceDefaultHost(replacement: SessionRegistry): void {
  if (used) {
    throw new UnsupportedError(
      'The default host is in use: sandboxes live on it. Call setDefaultHost before the first sandbox is used.',
    )
  }
  host = replacement
}
