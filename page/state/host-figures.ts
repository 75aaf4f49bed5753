import { signal } from '@preact/signals'
import { type ServiceClient, ServiceError } from '../service/service-client.ts'
import type { StatsData } from '../service/service-data.ts'

/** Milliseconds between two readings. */
const readTime = 3_000
/** Readings that are kept: half an hour. */
const most = 600

/** The figures of the host at one moment. */
export interface Reading {
  /** Seconds since the epoch. */
  readonly time: number
  readonly callsPerSecond: number
  readonly waitingCommands: number
  readonly waitingSandboxes: number
  readonly leased: number
  readonly hibernated: number
  readonly cells: number
  readonly workers: number
  /** Since the reading before. */
  readonly lost: number
  /** Calls that were rejected since the reading before. */
  readonly errors: number
}

/** The figures of the host over time, read while the page is seen. */
export class HostFigures {
  readonly readings = signal<readonly Reading[]>([])
  readonly last = signal<StatsData | undefined>(undefined)
  readonly #client: ServiceClient
  readonly #timer: ReturnType<typeof setInterval>
  #before: { readonly time: number; readonly stats: StatsData } | undefined

  constructor(client: ServiceClient) {
    this.#client = client
    this.#timer = setInterval(() => void this.#read(), readTime)
    void this.#read()
  }

  close(): void {
    clearInterval(this.#timer)
  }

  async #read(): Promise<void> {
    if (document.hidden) return
    try {
      this.#add(await this.#client.stats())
    } catch (error) {
      // The list tells that the connection is lost.
      if (!(error instanceof ServiceError)) throw error
    }
  }

  #add(stats: StatsData): void {
    const time = Date.now() / 1000
    const before = this.#before
    this.#before = { time, stats }
    this.last.value = stats
    // Another process counts from 0.
    if (before === undefined || before.stats.calls > stats.calls) return
    const reading: Reading = {
      time,
      callsPerSecond: (stats.calls - before.stats.calls) / Math.max(0.001, time - before.time),
      waitingCommands: stats.waiting,
      waitingSandboxes: stats.queued,
      leased: stats.leased,
      hibernated: stats.hibernated,
      cells: stats.cells,
      workers: stats.workers,
      lost: stats.lost - before.stats.lost,
      errors: errorsIn(stats) - errorsIn(before.stats),
    }
    this.readings.value = [...this.readings.value, reading].slice(-most)
  }
}

function errorsIn({ errors }: StatsData): number {
  return Object.values(errors).reduce((sum, count) => sum + count, 0)
}
