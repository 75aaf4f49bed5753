import type { MessagePort } from 'node:worker_threads'
import type { EngineCapabilities } from './capabilities.ts'
import type { ErrorData } from './errors.ts'
import type { ShellRecord } from './shell-record.ts'
import type { WayOut } from './way-out.ts'

/** The engines that a worker entry can load: each is a shell. */
export type EngineName = 'bash' | 'jail' | 'strands'

/** All of them. */
export const ENGINE_NAMES = ['bash', 'jail', 'strands'] as const satisfies readonly EngineName[]

/** Which engine a worker loads, and from where: a package's entry, a native addon, the URL of an ES module, or a program. */
export interface EngineSource {
  readonly engine: EngineName
  readonly kind: 'package' | 'addon' | 'module' | 'program'
  readonly path: string
  /** The file with the seccomp filter that the program is started with; absent where there is none. */
  readonly filter?: string
  /** The file with what was compiled of the engine's texts, where it is there; absent where there is none. */
  readonly code?: string
}

/** The task that opens a lease: the worker adopts `port` and serves a fresh shell on it. */
export interface LeaseRequest {
  readonly port: MessagePort
  /** The gate of this lease: its native calls, the build included, pass it before that of the worker. */
  readonly gate: SharedArrayBuffer
  /** Two 32-bit words, {@link CALL_TO_STOP}, 0 for none, and {@link LEASE_STEPS}. */
  readonly calls: SharedArrayBuffer
}

/** The pipes of a cell's threads. A thread takes one with its first lease, and keeps it. */
export interface ThreadPipes {
  readonly count: number
  /** A 32-bit word: how many threads have taken one. */
  readonly taken: SharedArrayBuffer
}

/** The lane of a lease in a cell. */
export interface LeaseLane {
  readonly number: number
  readonly pipes: ThreadPipes
}

/** What the worker builds: the first message on the port. It is undefined where the opening has failed meanwhile. */
export interface LeaseOrder {
  readonly engine: EngineSource
  readonly record: ShellRecord
  /** The address of the proxy, with its token, through which alone this process reaches the network; absent where there is none. */
  readonly proxy?: string
  /** How the shell reaches the network, where it is a process that has none; absent: not at all. */
  readonly way?: WayOut
  /** Where the lease is served if its thread has a pipe; absent: on the port. */
  readonly lane?: LeaseLane
}

/** The word with the number of the call that is to stop, for engines that can. The host writes it. */
export const CALL_TO_STOP = 0
/** The word that counts the steps of the lease's calls, and wraps. The worker writes it. */
export const LEASE_STEPS = 1

/** Seconds that bringing changes in and writing them out may take. */
export const MIRROR_ALLOWANCE = 120

/** What the worker answers: that it serves a shell, or why there is none, and in any case its gate. */
export type LeaseReply =
  | {
      readonly ok: true
      readonly gate: SharedArrayBuffer
      /** The engine's effective command timeout, in seconds. */
      readonly timeout: number
      /** Seconds a call may take on top of that, for mirroring; 0 where nothing is mirrored. */
      readonly allowance: number
      readonly capabilities: EngineCapabilities
      /** The pipe that it is served on; absent: the port. */
      readonly pipe?: number
    }
  | { readonly ok: false; readonly gate: SharedArrayBuffer; readonly error: ErrorData }

/**
 * A gate of native calls: one shared 32-bit word. The low bits count the calls in flight; the `RETIRED` bit,
 * once set by the host, lets no further one begin. There is one a lease and one a worker: a worker may be ended
 * only when the bit of its own is set and the count is zero.
 */
export const GATE_RETIRED = 0x4000_0000
/** The bits of a gate that count. */
export const GATE_COUNT = 0x3fff_ffff
