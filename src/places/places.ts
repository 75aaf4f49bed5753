import type { ShellRecord } from '../contract/shell-record.ts'
import type { LeasedPlace } from './place.ts'
import type { Ticket } from './ticket.ts'
import type { WarmSource } from './warm-pool.ts'

/** What an isolation level has and does at this moment: counts. */
export interface LevelFigures {
  /** Processes besides the host's own. */
  readonly cells: number
  /** Threads that have not ended. */
  readonly workers: number
  /** Sandboxes with a session, those that open included. */
  readonly leased: number
  /** Workers without a lease. */
  readonly idle: number
  /** Given-up sessions whose native call still runs. */
  readonly retired: number
  /** Sandboxes that wait for a place of this level. */
  readonly queued: number
}

/** The places of one isolation level. Admission is its caller's. */
export interface Level extends WarmSource {
  readonly figures: LevelFigures
  /**
   * Builds a shell in a place. Abandon the ticket to give it up.
   *
   * @throws {SandboxConfigError} when the engine refuses the record
   * @throws {EngineUnavailableError} when there is no engine for this machine
   * @throws {WorkerLostError} when the worker ended as it built
   * @throws {SandboxClosedError} when the ticket was abandoned
   */
  open(record: ShellRecord, ticket: Ticket): Promise<LeasedPlace>
  /** Ends everything that runs no native call, and the rest when its calls have settled. Every lease is lost. */
  close(): Promise<void>
}

/** The figures of levels together. */
export function sumFigures(figures: Iterable<LevelFigures>): LevelFigures {
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
