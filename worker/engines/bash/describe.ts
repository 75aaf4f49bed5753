import type { ShellDescription } from '../../../src/contract/shell-api.ts'
import type { BashRecord } from '../../../src/contract/shell-record.ts'

/** The effective config, without secrets. @param timeout - seconds. */
export function describeBash(
  record: BashRecord,
  timeout: number,
  skipped: ShellDescription['skipped'],
): ShellDescription {
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
