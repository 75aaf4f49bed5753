import type { ShellRecord } from '../contract/shell-record.ts'
import type { Isolation } from './options.ts'
import type { Place } from './place.ts'

/** What a session wants of a host. */
export interface PlaceRequest {
  readonly record: ShellRecord
  /** What the session has for itself; undefined: what the host gives. */
  readonly isolation: Isolation | undefined
  /** Gives the opening up. */
  readonly signal?: AbortSignal
}

/** Where sessions get their places: a host, of this copy of the package or another. */
export interface PlaceSource {
  /** What a session has for itself that asks for nothing else. */
  readonly isolation: Isolation
  /**
   * Opens a shell in a place of a worker, waiting for a free one if need be.
   *
   * @throws {HostSaturatedError} when there is no place, or none in time
   * @throws {SandboxConfigError} when the engine refuses the record
   * @throws {EngineUnavailableError} when there is no engine for this machine
   * @throws {WorkerLostError} when the worker ended as it opened
   * @throws {SandboxClosedError} when the host or the sandbox was closed
   */
  place(request: PlaceRequest): Promise<Place>
}
