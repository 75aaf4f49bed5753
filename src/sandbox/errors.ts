import type { ErrorCode, LossCode, MirrorData } from '../contract/errors.ts'
import { foreignText, messageText } from './message-text.ts'

/** What every error of this package carries besides its message. */
export interface SandboxErrorOptions {
  /** The error underneath, if there is one. */
  readonly cause?: unknown
}

/** The base of every error this package throws. `code` is stable; the message is for people. */
export abstract class SandboxError extends Error {
  /** Names the kind of error; stable over versions. */
  abstract readonly code: ErrorCode
  /** The name of its class. */
  // A field, because what is inherited cannot be assigned where intrinsics are frozen.
  override name = this.constructor.name

  constructor(message: string, options: SandboxErrorOptions = {}) {
    super(messageText(message), 'cause' in options ? { cause: options.cause } : undefined)
  }
}

/** Output a command had given before its call was rejected. */
export interface PartialOutput {
  /** Standard output so far. */
  readonly stdout: string
  /** Standard error so far. */
  readonly stderr: string
}

const noOutput: PartialOutput = { stdout: '', stderr: '' }

abstract class InterruptedError extends SandboxError {
  /** Standard output so far; empty for sandboxes that cannot stream. */
  readonly stdout: string
  /** Standard error so far; empty for sandboxes that cannot stream. */
  readonly stderr: string

  constructor(message: string, options: SandboxErrorOptions & { readonly output?: PartialOutput } = {}) {
    super(message, options)
    const { stdout, stderr } = options.output ?? noOutput
    this.stdout = stdout
    this.stderr = stderr
  }
}

/** The caller's `timeout` passed before the call ended. */
export class SandboxTimeoutError extends InterruptedError {
  readonly code = 'TIMEOUT'
}

/** The caller's `signal` was aborted. `cause` is the signal's reason. */
export class SandboxAbortError extends InterruptedError {
  readonly code = 'ABORTED'
}

/**
 * The shell could not be reached, or the way to it was lost before the command had ended: a missing or failing
 * client program, a refused connection, a killed shell. The message holds what the client said.
 */
export class SandboxConnectionError extends InterruptedError {
  readonly code = 'CONNECTION_FAILED'
  /** Whether the command had begun: if not, it can be run again without harm. */
  readonly started: boolean

  constructor(
    message: string,
    options: SandboxErrorOptions & { readonly output?: PartialOutput; readonly started: boolean },
  ) {
    super(message, options)
    this.started = options.started
  }
}

abstract class PathError extends SandboxError {
  /** The path as the caller gave it. */
  readonly path: string

  constructor(message: string, options: SandboxErrorOptions & { readonly path: string }) {
    super(message, options)
    this.path = options.path
  }
}

/** A path does not exist, or is not a directory where one is needed. */
export class SandboxPathNotFoundError extends PathError {
  readonly code = 'PATH_NOT_FOUND'
}

/** A path is read-only, or outside every place the sandbox may write. */
export class SandboxPermissionError extends PathError {
  readonly code = 'PERMISSION_DENIED'
}

/** Anything else a file operation met. */
export class SandboxIoError extends PathError {
  readonly code = 'IO_ERROR'
}

/** A path that could not be written to the host, and why. */
export interface PendingChange {
  /** The path in the sandbox, absolute. */
  readonly path: string
  /** What stands in the way, in words for people. */
  readonly reason: string
}

/**
 * Changes of a mirrored directory, or of a copy whose changes were applied, did not all reach the host. What
 * did not is pending: the sandbox keeps it. For a mirror the next call tries again.
 */
export class MirrorError extends SandboxError {
  readonly code = 'MIRROR_FAILED'
  /** The paths that are on the host, absolute, in the sandbox. */
  readonly written: readonly string[]
  /** What is not on the host yet. */
  readonly pending: readonly PendingChange[]
  /** Standard output of the command that ran; empty where none did. */
  readonly stdout: string
  /** Standard error of the command that ran; empty where none did. */
  readonly stderr: string
  /** Exit code of the command that ran: do not run it again for this error. Undefined where none did. */
  readonly exitCode: number | undefined

  constructor(message: string, options: SandboxErrorOptions & MirrorData) {
    super(message, options)
    const { written, pending, output } = options
    this.written = [...written]
    this.pending = pending.map(({ path, reason }) => ({ path, reason }))
    this.stdout = output?.stdout ?? ''
    this.stderr = output?.stderr ?? ''
    this.exitCode = output?.exitCode
  }
}

/** A size, count or depth cap was passed. */
export class SandboxLimitError extends SandboxError {
  readonly code = 'LIMIT_EXCEEDED'
  /** The cap's name in the config, such as `limits.maxFileSize`. */
  readonly limit: string
  /** The cap's value. */
  readonly value: number

  constructor(
    message: string,
    options: SandboxErrorOptions & { readonly limit: string; readonly value: number },
  ) {
    super(message, options)
    this.limit = options.limit
    this.value = options.value
  }
}

/** A config or an argument was refused. */
export class SandboxConfigError extends SandboxError {
  readonly code = 'INVALID_CONFIG'
  /** The field at fault, such as `binds[0].destination` or `command`. */
  readonly field: string

  constructor(message: string, options: SandboxErrorOptions & { readonly field: string }) {
    super(message, options)
    this.field = options.field
  }
}

/** The sandbox was closed before the call, or while it was pending. */
export class SandboxClosedError extends SandboxError {
  readonly code = 'CLOSED'
}

/** Why a session was lost: the `cause` of a {@link WorkerLostError}. */
export class SessionLoss extends Error {
  /** The name of its class. */
  override readonly name = 'SessionLoss'
  /** `WORKER_EXITED`, `ENGINE_PANIC`, `DEADLINE_IGNORED` or another `LossCode`. */
  readonly code: LossCode
  /** What a lost cell had printed last, at most 4 KiB; undefined where it had not. */
  readonly output: string | undefined

  constructor(code: LossCode, message: string, output?: string) {
    super(foreignText(message))
    this.code = code
    this.output = output
  }
}

/** The worker, cell or native shell ended under the session: its files and variables are gone. */
export class WorkerLostError extends SandboxError {
  readonly code: 'WORKER_LOST' | 'MEMORY_LIMIT' = 'WORKER_LOST'
  /** How the session ended. */
  declare readonly cause: SessionLoss

  constructor(message: string, options: { readonly cause: SessionLoss }) {
    super(message, options)
  }
}

/** The session's cell was ended for its memory, or its worker ran out of heap. */
export class MemoryLimitError extends WorkerLostError {
  override readonly code = 'MEMORY_LIMIT'
}

/** An option of a host that bounds what it opens, or delays it. */
export type HostBound =
  | 'maxSandboxes'
  | 'maxCells'
  | 'sandboxesPerCell'
  | 'cellBackoff'
  | 'maxQueued'
  | 'maxRetired'
  | 'quotas.maxSandboxes'
  | 'quotas.opensPerMinute'

/** How much of its quota a tenant of a host has: counts, each beside its bound. A bound is undefined where there is none. */
export interface TenantSaturation {
  /** The name of the label that tells tenants apart. */
  readonly label: string
  /** Its value; `''` for sandboxes without it. */
  readonly value: string
  /** Sandboxes of the tenant with a session, those that open included. */
  readonly open: number
  /** Most of them. */
  readonly maxSandboxes: number | undefined
  /** Most that open in a minute. */
  readonly opensPerMinute: number | undefined
  /** Sandboxes of the tenant that wait to be admitted. */
  readonly queued: number
}

/** How full a host is: counts, each beside its bound. */
export interface Saturation {
  /**
   * The options whose bound was reached. Empty where opening took longer than `openTimeout` and no bound was in the way.
   * `'maxCells'` and `'sandboxesPerCell'` together: the cells were full; `'maxCells'` alone: they had other `allowedUrls` or binds, or
   * were of others by `cellsFor`.
   */
  readonly reached: readonly HostBound[]
  /** Sandboxes with a session, those that open included. */
  readonly open: number
  /** Most sandboxes with a session. */
  readonly maxSandboxes: number
  /** Cells, of all shells together. */
  readonly cells: number
  /** Most cells of a shell that take sandboxes. */
  readonly maxCells: number
  /** Sandboxes that wait for a place. */
  readonly queued: number
  /** Most sandboxes that may wait. */
  readonly maxQueued: number
  /** Retired sessions whose native call still runs. */
  readonly retired: number
  /** Most retired sessions before nothing more is opened. */
  readonly maxRetired: number
  /** The tenant of the sandbox that was refused; undefined on a host without `quotas`. */
  readonly tenant?: TenantSaturation | undefined
}

/** No place for a sandbox in time, a full queue, or too many retired sessions whose native call still runs. */
export class HostSaturatedError extends SandboxError {
  readonly code = 'HOST_SATURATED'
  /** How full the host was. */
  readonly saturation: Saturation

  constructor(message: string, options: SandboxErrorOptions & { readonly saturation: Saturation }) {
    super(message, options)
    this.saturation = options.saturation
  }
}

/** This sandbox cannot do that; the message says why. */
export class UnsupportedError extends SandboxError {
  readonly code = 'UNSUPPORTED'
}

/** There is no engine for this machine; the message says what to install. */
export class EngineUnavailableError extends SandboxError {
  readonly code = 'ENGINE_UNAVAILABLE'
}

/** The far side of a lease sent something that is not of the contract. */
export class ProtocolError extends SandboxError {
  readonly code = 'PROTOCOL'
}

/**
 * What is wrong with a snapshot. `'malformed'`: it is truncated, or was never one. `'too-large'`: it passes a bound.
 * `'signature'`: it is altered, was signed with another key, or is unsigned where a key is given. `'version'`: it is of
 * another version of the format or of the engine. `'refused'`: the shell could not take it in. `'missing'`: it is not in the
 * store of the host any more.
 */
export type SnapshotFault = 'malformed' | 'too-large' | 'signature' | 'version' | 'refused' | 'missing'

/** A snapshot was refused; the message says what is wrong with it. */
export class SnapshotError extends SandboxError {
  readonly code = 'INVALID_SNAPSHOT'
  /** What is wrong with it. */
  readonly fault: SnapshotFault

  constructor(message: string, options: SandboxErrorOptions & { readonly fault: SnapshotFault }) {
    super(message, options)
    this.fault = options.fault
  }
}

/** A snapshot was not stored: a later one of the same id is in the store, or was. */
export class StaleFenceError extends SandboxError {
  readonly code = 'STALE_FENCE'
  /** The number that was given. */
  readonly fence: number
  /** The highest one that the store has seen for this id. */
  readonly seen: number

  constructor(
    message: string,
    options: SandboxErrorOptions & { readonly fence: number; readonly seen: number },
  ) {
    super(message, options)
    this.fence = options.fence
    this.seen = options.seen
  }
}

/** The cluster cannot say who has the session, or who could take it: Redis or every fitting node is out of reach. Nothing has run. */
export class ClusterUnavailableError extends SandboxError {
  readonly code = 'CLUSTER_UNAVAILABLE'
}
