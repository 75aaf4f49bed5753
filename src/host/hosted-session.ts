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
  /** Another sandbox needed its place (`onSaturated: 'evict-idle'`). */
  | 'evicted'

/** Why a session was stored and gave its place up. */
export type HibernateReason =
  /** `hibernate()` of its sandbox was called. */
  | 'asked'
  /** No call was made for the `hibernate.after` of its host, or for its `idleTimeout`. */
  | 'idle'
  /** It had the host's `maxLifetime`. */
  | 'lifetime'
  /** Another sandbox needed its place. */
  | 'saturated'
  /** Its host was drained. */
  | 'drained'

/** The sessions of one sandbox, as its host sees them. It holds no reference to the sandbox, which can be collected. */
export interface HostedSession {
  readonly id: string | undefined
  readonly isolation: Isolation
  readonly generation: number
  /** Calls that have not settled, those that wait for a place included. */
  readonly pending: number
  /** True where its session is stored, and has no place. */
  readonly isHibernated: boolean
  /** True where its session has a place, and nobody uses it. */
  readonly isIdle: boolean
  /**
   * Stores the session and gives its place up. False: it has no place, is used meanwhile, or would lose a job in the background
   * or a function.
   *
   * @throws {UnsupportedError} where it cannot be stored at all
   * @throws what the store has thrown; the session goes on
   */
  hibernate(reason: HibernateReason): Promise<boolean>
  /** Ends the sandbox. Idempotent. */
  close(reason: CloseReason): Promise<void>
}
