import type { Isolation } from '../contract/isolation.ts'

/** Why a sandbox was closed. */
export type CloseReason =
  /** Its `close()` was called. */
  | 'closed'
  /** It was collected without being closed. */
  | 'dropped'
  /** No call was made for the host's `idleTimeout`. */
  | 'idle'
  /** It had the host's `maxLifetime`. */
  | 'lifetime'
  /** Its host was drained. */
  | 'drained'

/** The sessions of one sandbox, as its host sees them. It holds no reference to the sandbox, which can be collected. */
export interface HostedSession {
  readonly id: string | undefined
  readonly isolation: Isolation
  readonly generation: number
  /** Calls that have not settled, those that wait for a place included. */
  readonly pending: number
  /** Ends the sandbox. Idempotent. */
  close(reason: CloseReason): Promise<void>
}
