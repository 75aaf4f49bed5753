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
