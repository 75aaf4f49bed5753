import type { EngineCapabilities } from './capabilities.ts'
import type { ErrorData, LossData } from './errors.ts'
import type { EngineSource } from './lease.ts'
import type { ShellRecord } from './shell-record.ts'

/** How a cell keeps its workers. Durations in seconds. */
export interface CellSettings {
  /** The `file:` URL of the worker entry. */
  readonly workerUrl: string
  /** Leases that it serves at most. */
  readonly sandboxes: number
  readonly sandboxesPerWorker: number
  /** Places that are kept ready ahead of demand. */
  readonly warm: number
  readonly idleWorkerTimeout: number
  /** Pipes that it has for its threads. */
  readonly threadPipes: number
  /** The address of the host's egress proxy, with the cell's token; absent where the cell reaches the network directly. */
  readonly proxy?: string
  /** The Unix socket of that proxy, where the cell has no other network: it listens at the proxy's port and passes on. */
  readonly proxySocket?: string
}

/** What a host tells its cell. `lane` is the number of a lease, on which its port is bridged. */
export type CellOrder =
  | {
      readonly kind: 'start'
      readonly settings: CellSettings
      readonly engine: EngineSource
      /** A shell that nobody sees: what its engine's workers need follows from it. */
      readonly blank: ShellRecord
    }
  | { readonly kind: 'open'; readonly lane: number; readonly record: ShellRecord }
  /** The lease is over, and no native call of it is in flight. */
  | { readonly kind: 'release'; readonly lane: number }
  /** The lease, or its opening, is retired until the cell says that it has ended. */
  | { readonly kind: 'retire'; readonly lane: number; readonly suspect: boolean; readonly end: boolean }
  /** A call of the lease is to stop. */
  | { readonly kind: 'interrupt'; readonly lane: number; readonly call: number }
  | { readonly kind: 'ping'; readonly ping: number }

/** What a cell tells its host. */
export type CellNews =
  | { readonly kind: 'ready' }
  | {
      readonly kind: 'opened'
      readonly lane: number
      readonly timeout: number
      readonly allowance: number
      readonly capabilities: EngineCapabilities
      /** The pipe of its thread, which its lane is on from now on; absent where the thread has none. */
      readonly pipe?: number
    }
  | { readonly kind: 'refused'; readonly lane: number; readonly error: ErrorData }
  | { readonly kind: 'lost'; readonly lane: number; readonly loss: LossData }
  /** The last native call of a retired lease has settled. */
  | { readonly kind: 'ended'; readonly lane: number }
  | {
      readonly kind: 'pong'
      readonly ping: number
      /** Its worker threads. */
      readonly workers: number
      /** Those of them without a lease. */
      readonly idle: number
      /** Resident memory of the cell, in bytes. */
      readonly rss: number
    }

/** What a host tells a thread of its cell, on the thread's pipe: it reads that lane from now on. */
export interface JoinOrder {
  readonly join: number
}

/** What a thread of a cell tells its host, on its pipe. */
export type ThreadNews = Extract<CellNews, { readonly kind: 'lost' }>
