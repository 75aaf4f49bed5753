import type { EngineCapabilities } from '../contract/capabilities.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import type { LossData } from '../contract/errors.ts'

/** How a place is retired. */
export interface Retirement {
  /** The worker gets no further lease. Default: false. */
  readonly suspect?: boolean
  /** The worker ends at once; its other leases are lost with `WORKER_EXITED`: only for engines that are `terminable`. Default: false. */
  readonly end?: boolean
}

/** What the process of a cell holds in memory. */
export interface CellMemory {
  /** Resident, in bytes, as it was a moment ago. */
  readonly bytes: number
  /** Sandboxes that the process has. */
  readonly sandboxes: number
}

/** A shell in a worker of this process or of a cell, and the right to it. */
export interface Place {
  /** This side of the connection that the shell is served on. */
  readonly endpoint: Endpoint
  /** The engine's effective command timeout, in seconds. */
  readonly timeout: number
  /** Seconds a call may take on top of that, for mirroring; 0 where nothing is mirrored. */
  readonly allowance: number
  readonly capabilities: EngineCapabilities
  /** The cell that it is in, as events of the proxy name it, and its lane there; undefined in a thread. */
  readonly cell?: { readonly name: string; readonly lane: number }
  /** What the cell that it is in holds in memory; undefined in a thread, and where the system does not tell. */
  readonly memory?: () => CellMemory | undefined
  /** Inside a cell: the pipe of its thread that its lane is on; undefined where that is the endpoint. */
  readonly pipe?: number
  /** What events of the proxy call it, where it alone has a pass of one; undefined in a cell, and where it has none. */
  readonly pass?: string
  /** True while a native call of the lease is in flight, also after the place was retired, and while its worker ends. */
  isBusy(): boolean
  /** Has the engine stop the call of this number, if it runs, and if the engine can. */
  interrupt(call: number): void
  /** Calls `listener` when the worker has ended or the host retires it: once or twice. */
  onLost(listener: (loss: LossData) => void): void
  /** Frees the place for the next lease: only after the worker said that no native call is in flight. */
  release(): void
  /**
   * Retires the place without an answer of its worker: no further native call of it begins. A worker that served it
   * alone ends as soon as none is in flight. Other leases of it are not affected, and a `suspect` worker gets no further lease.
   */
  retire(how?: Retirement): void
}
