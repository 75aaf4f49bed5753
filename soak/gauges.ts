import { memoryUsage } from 'node:process'
import type { Worker } from 'node:worker_threads'
import { children, descriptors, nativeThreads, processorTime, sizeOf } from './processes.ts'
import type { World } from './world.ts'

/** What is measured once a second. Memory in MiB. */
export interface Sample {
  /** Seconds since the start. */
  readonly at: number
  /** Resident memory of this process. */
  readonly rss: number
  /** What V8 uses of its heap, in the main thread. */
  readonly heap: number
  /** Resident memory of all cells. */
  readonly cellRss: number
  /** Resident memory of the cell that nothing happens to. */
  readonly lastingRss: number
  readonly descriptors: number
  /** Threads of this process. */
  readonly threads: number
  /** Those of them that are the engine's. */
  readonly nativeThreads: number
  /** Worker threads of this process. */
  readonly workers: number
  readonly processes: number
  /** Threads of all cells. */
  readonly cellThreads: number
  readonly inFlight: number
  /** Calls that have settled. */
  readonly calls: number
  readonly injected: number
  readonly seen: number
  /** Sandboxes that were closed, or dropped and collected. */
  readonly closed: number
  /** Sandboxes that are open, and in nobody's hands. */
  readonly unheld: number
  /** Processor time so far, cells included, in seconds. */
  readonly processor: number
}

/** The name of what is measured. */
export type Gauge = keyof Sample

const mebibyte = 2 ** 20

/** Measures a run. */
export class Gauges {
  readonly #world: World
  readonly #workers: ReadonlySet<Worker>
  readonly #start = performance.now()
  readonly #processorAtStart = processorTime('self')

  constructor(world: World, workers: ReadonlySet<Worker>) {
    this.#world = world
    this.#workers = workers
  }

  sample(): Sample {
    const { calls, losses, closed, held, hosts, lastingCell } = this.#world
    const { rss, heapUsed } = memoryUsage()
    const cells = children()
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
