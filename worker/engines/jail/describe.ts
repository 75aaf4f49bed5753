import type { JailDescription } from '../../../src/contract/shell-api.ts'
import type { JailRecord } from '../../../src/contract/shell-record.ts'

/** The effective config, without secrets. @param timeout - seconds. */
export function describeJail(
  record: JailRecord,
  timeout: number,
  skipped: JailDescription['skipped'],
): JailDescription {
  const { binds, credentials, allowedUrls, env, umask, limits } = record
  return {
    binds,
    credentials: credentials.map(({ url }) => ({ url, kind: 'bearer' })),
    allowedUrls,
    env: Object.fromEntries(env),
    umask: umask ?? 0o022,
    timeout,
    limits: { ...limits },
    skipped,
  }
}
