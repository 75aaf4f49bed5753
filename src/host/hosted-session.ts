import type { ErrorCode, LossCode } from '../contract/errors.ts'
import type { ShellRecord } from '../contract/shell-record.ts'
import type { NetworkMode } from '../places/cells/cell-network.ts'
import type { Opening } from '../places/opening.ts'
import type { Place } from '../places/place.ts'
import type { Isolation } from './options.ts'

/** Why a sandbox was closed. */
export type CloseReason =
  /** Its `close()` was called. */
  | 'closed'
  /** It was collected without being closed. */
  | 'dropped'
  /** Nobody used it for the host's `idleTimeout`. */
  | 'idle'
  /** It had the host's `maxLifetime`. */
  | 'lifetime'
  /** Its host was drained. */
  | 'drained'

/** The sessions of one sandbox, as its host sees them. It never reaches the sandbox, which can be collected. */
export interface HostedSession {
  readonly id: string | undefined
  readonly isolation: Isolation
  readonly generation: number
  /** Calls that have not settled, those that wait for a place included. */
  readonly pending: number
  /** Ends the sandbox. Idempotent. */
  close(reason: CloseReason): Promise<void>
}

/** What a tenant has of its host, from its first call until it is closed. */
export interface Tenancy {
  /**
   * Opens a shell in a place of a worker, waiting for a free one if need be.
   *
   * @throws {HostSaturatedError} when there is no place, or none in time
   * @throws {SandboxConfigError} when the engine refuses the record
   * @throws {EngineUnavailableError} when there is no engine for this machine
   * @throws {WorkerLostError} when the worker ended as it opened
   * @throws {SandboxClosedError} when the host or the sandbox was closed, or the opening left the queue
   */
  place(record: ShellRecord, opening: Opening): Promise<Place>
  /** A call was made. */
  began(): void
  /** A call has settled; `code` where it rejected. */
  ended(milliseconds: number, code: ErrorCode | undefined): void
  /** The session was lost. */
  lost(reason: LossCode): void
  /** The sandbox was closed. */
  closed(reason: CloseReason): void
}

/** Where sessions get their places: a host, of this copy of the package or another. */
export interface Landlord {
  /** What a session has for itself that asks for nothing else. */
  readonly isolation: Isolation
  /** What its cells reach of the network; undefined for a host that does not tell. */
  readonly network?: NetworkMode | undefined
  enter(tenant: HostedSession): Tenancy
}
