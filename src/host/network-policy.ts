import type { HostNetwork, Isolation, NetworkMode } from '../contract/isolation.ts'
import type { ShellRecord } from '../contract/shell-record.ts'
import { SandboxConfigError } from '../sandbox/errors.ts'

/** What the cells of a host reach. */
export function cellNetwork(network: HostNetwork | undefined): NetworkMode {
  return network === undefined || network === 'restricted' ? 'allowlist' : network
}

/**
 * Refuses a sandbox that would reach more than its `allowedUrls`, where it or its host asks for `'restricted'`. Bash and
 * jails are held to them; Strands Shell is held to them in cells, unless these reach all that is public.
 *
 * @param network - of the host; undefined where it names none.
 * @throws {SandboxConfigError} with the field `network`
 */
export function requireRestricted(
  network: HostNetwork | undefined,
  isolation: Isolation,
  record: Pick<ShellRecord, 'engine' | 'network'>,
): void {
  if (record.engine !== 'strands' || (record.network ?? network) !== 'restricted') return
  if (isolation !== 'process') {
    throw new SandboxConfigError(
      `network: 'restricted' cannot be held with isolation '${isolation}': Strands Shell in a thread reaches every public host. Use isolation 'process', or shell 'bash'.`,
      { field: 'network' },
    )
  }
  if (network === 'public') {
    throw new SandboxConfigError(
      `network: 'restricted' cannot be held in the cells of a host whose network is 'public'. Use one with 'allowlist', its default.`,
      { field: 'network' },
    )
  }
}

/**
 * Refuses a sandbox that its host could not hold to the network mode that the host names.
 *
 * @param network - undefined where the host names none.
 * @throws {SandboxConfigError} with the field `isolation`, `allowedUrls` or `network`
 */
export function requireEnforceable(
  network: HostNetwork | undefined,
  isolation: Isolation,
  record: Pick<ShellRecord, 'allowedUrls' | 'engine' | 'network'>,
): void {
  requireRestricted(network, isolation, record)
  if (network === undefined || network === 'public' || network === 'restricted') return
  const { allowedUrls, engine } = record
  // A jail reaches nothing but the host's proxy, at every level.
  if (isolation !== 'process' && engine !== 'jail') {
    throw new SandboxConfigError(
      `isolation: expected 'process', got '${isolation}': the host's network is '${network}', and only cells and jails can be held to it.`,
      { field: 'isolation' },
    )
  }
  if (network === 'none' && allowedUrls.length > 0) {
    throw new SandboxConfigError(
      `allowedUrls: expected none, got ${allowedUrls.length}: the host's network is 'none'.`,
      { field: 'allowedUrls' },
    )
  }
}
