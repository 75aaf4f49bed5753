import { memoryUsage } from 'node:process'
import type { Worker } from 'node:worker_threads'
import type { SoakContext } from './context.ts'
import { descriptors, livingChildren, nativeThreads, processorTime, sizeOf } from './processes.ts'

/** The measurements of one moment. Memory is in MiB. */
export interface Sample {
  /** Seconds since the start. */
  readonly at: number
  /** Resident memory of this process. */
  readonly rss: number
  /** Used V8 heap of the main thread. */
  readonly heap: number
  /** Resident memory of all cells. */
  readonly cellRss: number
  /** Resident memory of the cell that gets no faults. */
  readonly lastingRss: number
  readonly descriptors: number
  /** Threads of this process. */
  readonly threads: number
  /** Threads of the engine in this process. */
  readonly nativeThreads: number
  /** Worker threads of this process. */
  readonly workers: number
  readonly processes: number
  /** Threads of all cells. */
  readonly cellThreads: number
  readonly inFlight: number
  /** Number of settled calls. */
  readonly calls: number
  readonly injected: number
  readonly seen: number
  /** Number of sandboxes that were closed, or dropped and garbage-collected. */
  readonly closed: number
  /** Number of open sandboxes that no actor holds. */
  readonly unheld: number
  /** Processor time so far, cells included, in seconds. */
  readonly processor: number
}

/** The name of a measurement. */
export type Gauge = keyof Sample

const mebibyte = 2 ** 20

/** Takes the samples of a run. */
export class Gauges {
  readonly #context: SoakContext
  readonly #workers: ReadonlySet<Worker>
  readonly #start = performance.now()
  readonly #processorAtStart = processorTime('self')

  constructor(context: SoakContext, workers: ReadonlySet<Worker>) {
    this.#context = context
    this.#workers = workers
  }

  sample(): Sample {
    const { calls, losses, closed, held, hosts, lastingCell } = this.#context
    const { rss, heapUsed } = memoryUsage()
    const cells = livingChildren()
    const sizes = cells.map(sizeOf)
    const open = hosts.reduce((sum, host) => sum + host.list().length, 0)
    return {
      at: (performance.now() - this.#start) / 1000,
      rss: rss / mebibyte,
      heap: heapUsed / mebibyte,
      cellRss: sizes.reduce((sum, size) => sum + size.rss, 0) / mebibyte,
      lastingRss: lastingCell === undefined ? 0 : sizeOf(lastingCell).rss / mebibyte,
      descriptors: descriptors(),
      threads: sizeOf('self').threads,
      nativeThreads: nativeThreads(),
      workers: this.#workers.size,
      processes: cells.length,
      cellThreads: sizes.reduce((sum, size) => sum + size.threads, 0),
      inFlight: calls.inFlight,
      calls: calls.settled,
      injected: losses.injected,
      seen: losses.seen,
      closed,
      unheld: Math.max(0, open - held),
      processor: cells.reduce(
        (sum, pid) => sum + processorTime(pid),
        processorTime('self') - this.#processorAtStart,
      ),
    }
  }
}
