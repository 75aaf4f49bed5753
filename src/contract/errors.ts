/** The stable code of every error this package throws. */
export type ErrorCode =
  | 'TIMEOUT'
  | 'ABORTED'
  | 'PATH_NOT_FOUND'
  | 'PERMISSION_DENIED'
  | 'LIMIT_EXCEEDED'
  | 'IO_ERROR'
  | 'MIRROR_FAILED'
  | 'INVALID_CONFIG'
  | 'CLOSED'
  | 'WORKER_LOST'
  | 'MEMORY_LIMIT'
  | 'HOST_SATURATED'
  | 'UNSUPPORTED'
  | 'ENGINE_UNAVAILABLE'
  | 'PROTOCOL'
  | 'CONNECTION_FAILED'
  | 'INVALID_SNAPSHOT'
  | 'STALE_FENCE'
  | 'CLUSTER_UNAVAILABLE'

/** The codes that the far side of a lease may report for a call or a build. */
type FarErrorCode = Extract<
  ErrorCode,
  | 'PATH_NOT_FOUND'
  | 'PERMISSION_DENIED'
  | 'LIMIT_EXCEEDED'
  | 'IO_ERROR'
  | 'MIRROR_FAILED'
  | 'INVALID_CONFIG'
  | 'WORKER_LOST'
  | 'UNSUPPORTED'
  | 'ENGINE_UNAVAILABLE'
>

/** How a session was lost: the `code` of the `cause` of a `WorkerLostError`. */
export type LossCode =
  | 'WORKER_EXITED'
  | 'WORKER_FAILED'
  | 'HEAP_EXHAUSTED'
  | 'ENGINE_PANIC'
  | 'DEADLINE_IGNORED'
  | 'RESET'
  | 'PROTOCOL'
  | 'CELL_EXITED'
  | 'CELL_STALLED'
  | 'CELL_KILLED'
  | 'CELL_MEMORY'
  | 'NODE_LOST'
  | 'HOST_CLOSED'

/** Why a session was lost, as data. */
export interface LossData {
  readonly code: LossCode
  readonly message: string
  /** What the process that was lost had printed last. */
  readonly output?: string
}

/** What a call wrote to the host and what it could not, as data. Paths are absolute, in the sandbox. */
export interface MirrorData {
  /** The paths that are on the host. */
  readonly written: readonly string[]
  /** Those that are not, each with what stands in the way. */
  readonly pending: readonly { readonly path: string; readonly reason: string }[]
  /** What the command left behind, where one ran. */
  readonly output?: { readonly exitCode: number; readonly stdout: string; readonly stderr: string }
}

/** An error as it crosses a thread boundary; the host side rebuilds the class from `code`. */
export interface ErrorData {
  readonly code: FarErrorCode
  /** What was expected, what came, what to do. Never holds a secret. */
  readonly message: string
  /** The path the call named, for file errors. */
  readonly path?: string
  /** The config field at fault, for `INVALID_CONFIG`. */
  readonly field?: string
  /** The cap that was passed, for `LIMIT_EXCEEDED`. */
  readonly limit?: { readonly name: string; readonly value: number }
  /** How the session ended, for `WORKER_LOST`. */
  readonly loss?: LossData
  /** How far writing to the host came, for `MIRROR_FAILED`. */
  readonly mirror?: MirrorData
  /** The engine's own words, where they add something. */
  readonly detail?: string
}
