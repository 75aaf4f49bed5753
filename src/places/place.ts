import type { MessagePort } from 'node:worker_threads'
import type { EngineCapabilities } from '../contract/capabilities.ts'
import type { LossData } from '../contract/errors.ts'
import type { CommandLimiter } from '../host/command-limiter.ts'

/** A shell in a worker, as the host hands it to a lease. */
export interface Place extends LeasedPlace {
  /** The turns that commands of the host's sandboxes take. */
  readonly turns: CommandLimiter
}

/** A shell in a worker, and the right to it. */
export interface LeasedPlace {
  /** This side of the port that the shell is served on. */
  readonly port: MessagePort
  /** The engine's effective command timeout, in seconds. */
  readonly timeout: number
  /** Seconds a call may take on top of that, for mirroring; 0 where nothing is mirrored. */
  readonly allowance: number
  readonly capabilities: EngineCapabilities
  /** Calls `listener` when the worker has ended or the host gives it up: once or twice. */
  onLost(listener: (loss: LossData) => void): void
  /** Gives the place back for the next lease: only after the worker said that no native call is in flight. */
  release(): void
  /**
   * Gives the place up unasked: no further native call of it begins. A worker that served it alone ends as soon as
   * none is in flight; neighbours are left alone, and a `suspect` worker gets no further lease.
   */
  giveUp(how?: { readonly suspect: boolean }): void
}

/** A place of a worker in this process. */
export interface WorkerPlace extends LeasedPlace {
  /** True while a native call of the lease is in flight, also after it was given up, and while its worker ends. */
  isBusy(): boolean
}
