import type { ShellDescription } from '../../../src/contract/shell-api.ts'
import type { Bounds } from './limits.ts'
import type { BashRecord } from './record.ts'

/** The effective config, without secrets. */
export function describeBash(record: BashRecord, bounds: Bounds, timeout: number): ShellDescription {
  return {
    binds: (record.binds ?? []).map(({ source, destination, mode, readonly }) => ({
      source,
      destination,
      mode,
      readonly,
    })),
    credentials: (record.network?.credentials ?? []).map(({ url }) => ({ url, kind: 'headers' })),
    allowedUrls: [...(record.network?.allowedUrls ?? [])],
    env: Object.fromEntries(record.env ?? []),
    umask: record.umask ?? 0o022,
    timeout,
    limits: { ...bounds },
    skipped: [],
  }
}
