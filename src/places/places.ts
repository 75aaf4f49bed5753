import type { HostBound } from '../sandbox/errors.ts'
import type { OpenRequest } from './open-request.ts'
import type { Place } from './place.ts'
import type { WarmSource } from './warm-pool.ts'

/** What an isolation level has and does at this moment: counts. */
export interface PlaceFigures {
  /** Processes besides the host's own. */
  readonly cells: number
  /** Threads that have not ended. */
  readonly workers: number
  /** Sandboxes with a session, those that open included. */
  readonly leased: number
  /** Workers without a lease. */
  readonly idle: number
  /** Retired sessions whose native call still runs. */
  readonly retired: number
  /** Sandboxes that wait for a place of this level. */
  readonly queued: number
}

/** Where the shells of one engine live at one isolation level. Admission is the host's. */
export interface Places extends WarmSource {
  readonly figures: PlaceFigures
  /**
   * Builds a shell in a place. Cancelling the request retires the place.
   *
   * @throws {SandboxConfigError} when the engine refuses the record
   * @throws {EngineUnavailableError} when there is no engine for this machine
   * @throws {WorkerLostError} when the worker ended as it built
   * @throws the reason of the request's signal when it fired
   */
  open(request: OpenRequest): Promise<Place>
  /** The option that keeps an opening of these places waiting; undefined where none does. */
  boundOf(request: OpenRequest): HostBound | undefined
  /** Ends everything that runs no native call, and the rest when its calls have settled. Every lease is lost. */
  close(): Promise<void>
}

/** The figures of several places together. */
export function sumFigures(figures: Iterable<PlaceFigures>): PlaceFigures {
  const sum = { cells: 0, workers: 0, leased: 0, idle: 0, retired: 0, queued: 0 }
  for (const { cells, workers, leased, idle, retired, queued } of figures) {
    sum.cells += cells
    sum.workers += workers
    sum.leased += leased
    sum.idle += idle
    sum.retired += retired
    sum.queued += queued
  }
  return sum
}
