import { readdirSync } from 'node:fs'
import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks'
import { ownMemory } from '../places/own-memory.ts'

/** What the process of a host carries. */
export interface MachineLoad {
  /** Resident memory of the process, in bytes; where the system does not tell, the most that it ever had. */
  readonly rss: number
  /** Threads of the process by the operating system's count, those of the engine included; undefined where it does not tell. */
  readonly threads: number | undefined
  /** How late the event loop's timers were since the host's first sandbox, in milliseconds. All 0 before. */
  readonly eventLoopDelay: {
    /** The arithmetic mean. */
    readonly mean: number
    /** What 99 of 100 looks did not exceed. */
    readonly p99: number
    /** The longest. */
    readonly max: number
  }
}

/** Milliseconds between two looks at the event loop. */
const resolution = 20

/** Watches the event loop from the first sandbox until the host is closed. */
export class LoadWatch {
  #delay: IntervalHistogram | undefined

  start(): void {
    if (this.#delay !== undefined) return
    this.#delay = monitorEventLoopDelay({ resolution })
    this.#delay.enable()
  }

  stop(): void {
    this.#delay?.disable()
  }

  look(): MachineLoad {
    return { rss: ownMemory(), threads: countThreads(), eventLoopDelay: delays(this.#delay) }
  }
}

function delays(delay: IntervalHistogram | undefined): MachineLoad['eventLoopDelay'] {
  if (delay === undefined || delay.count === 0) return { mean: 0, p99: 0, max: 0 }
  const late = (nanoseconds: number) => Math.max(0, nanoseconds / 1e6 - resolution)
  return { mean: late(delay.mean), p99: late(delay.percentile(99)), max: late(delay.max) }
}

function countThreads(): number | undefined {
  try {
    return readdirSync('/proc/self/task').length
  } catch {
    return undefined // No Linux: the system keeps no such list.
  }
}
