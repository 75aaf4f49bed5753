import type { EngineName, EngineSource } from '../contract/lease.ts'
import type { ShellRecord } from '../contract/shell-record.ts'

/** Bytes of address space that a worker reserves besides its heap and its engine's stacks. */
export const WORKER_SPACE = 768 * 2 ** 20

/** What building a shell takes of its process while it is under way, loading the engine included. */
export interface EngineNeeds {
  /** Files, pipes and sockets. */
  readonly descriptors: number
  /** Threads and processes without which the process would end; 0 where each that cannot be started is an error. */
  readonly tasks: number
  /** Bytes of address space without which the process would end; 0 where none is reserved. */
  readonly addressSpace: number
}

/** What the host side knows of an engine: where workers find it, and what its threads need of this process. */
export interface HostEngine {
  readonly name: EngineName
  /** Engines of the same key share workers and cells. */
  readonly key: string
  /** The heap of a worker, in MiB. */
  readonly heapMegabytes: number
  /** True where its threads can be ended at any moment: none of its calls is native. */
  readonly terminable: boolean
  /** True where its shells are processes without a network: they need a way out for what they may reach. */
  readonly needsWayOut?: boolean
  /** True where its calls leave the loop of their thread free: the thread can send meanwhile, on a pipe of its own too. */
  readonly leavesLoopFree?: true
  /** Whether its threads give descriptors to sockets: Node then closes none by itself when a thread ends. */
  readonly handsOverDescriptors?: true
  /** In which form its shells write facts of a checkpoint that are not of files. */
  readonly checkpointForm: string
  /** @param isFirst - whether its worker is to be started, and has not built a shell before. */
  needs(isFirst: boolean): EngineNeeds
  /** A shell that nobody sees: building it has its worker load the engine. */
  readonly blank: ShellRecord
  /** @throws {EngineUnavailableError} when there is none for this machine */
  find(): Promise<EngineSource>
  /** What was found could not be loaded: the next call of `find` looks again. */
  forget(): void
  /** Prepares this process for the threads that a build starts. Every call is followed by one of `endBuild`. */
  beginBuild(): void
  /** Undoes what `beginBuild` did. @param built - whether there is a shell. */
  endBuild(built: boolean): void
}
