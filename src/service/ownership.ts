import type { Labels } from '../host/event-data.ts'

/** What a call has of the sandbox that it runs in, from its beginning to its end. */
export interface Tenure {
  /** Rises whenever another process takes the sandbox. */
  readonly fence: number
  /**
   * Resolves where what the call has come to may be told.
   *
   * @throws {WorkerLostError} where the process may have lost the sandbox meanwhile
   */
  confirm(): Promise<void>
  /** The call has ended. Idempotent. */
  leave(): void
}

/** Which sandboxes a process has, of those that several processes share. */
export interface Ownership {
  /**
   * Has a sandbox for this process.
   *
   * @param mustExist - whether it is refused where there is none.
   * @throws {ServiceProblem} where another one has it
   */
  claim(id: string, mustExist?: boolean): Promise<void>
  /** A call for a sandbox begins. @throws {ServiceProblem} where this process does not have it */
  enter(id: string): Tenure
  /** Labels that the events of a sandbox have besides its own. */
  labelsOf(id: string): Labels
  /** The sandbox was closed for good. */
  closed(id: string): Promise<void>
  /** Stores a sandbox, and lets another process have it. @throws {ServiceProblem} where this process does not have it */
  handOver(id: string): Promise<void>
}
