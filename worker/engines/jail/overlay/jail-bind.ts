import type { BindRecord } from '../../../../src/contract/shell-record.ts'

/**
 * A directory of the host in a jail. `'direct'`: the host's own, written at once. `'overlay'`: over the host's, which is never
 * changed, lies what the sandbox writes.
 */
export interface JailBind extends Pick<BindRecord, 'source' | 'destination' | 'readonly' | 'exclude'> {
  readonly mode: 'direct' | 'overlay'
}
