import type { Isolation, NetworkMode } from '../contract/isolation.ts'
import type { ShellRecord } from '../contract/shell-record.ts'
import { SandboxConfigError } from '../sandbox/errors.ts'

/**
 * Refuses a sandbox that its host could not hold to the network mode that the host names.
 *
 * @param network - undefined where the host names none.
 * @throws {SandboxConfigError} with the field `isolation` or `allowedUrls`
 */
export function requireEnforceable(
  network: NetworkMode | undefined,
  isolation: Isolation,
  { allowedUrls }: Pick<ShellRecord, 'allowedUrls'>,
): void {
  if (network === undefined || network === 'public') return
  if (isolation !== 'process') {
    throw new SandboxConfigError(
      `isolation: expected 'process', got '${isolation}': the host's network is '${network}', and only cells can be held to it.`,
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
