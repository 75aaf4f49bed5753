import type { CellNews, CellOrder, CellSettings } from '../../../contract/cell-messages.ts'
import type { EngineSource } from '../../../contract/lease.ts'
import type { ShellRecord } from '../../../contract/shell-record.ts'
import type { WorkerPlace } from '../../place.ts'
import { ThreadPlaces } from '../../threads/thread-places.ts'
import { Ticket } from '../../ticket.ts'
import { WarmPool } from '../../warm-pool.ts'
import type { CellChannel } from '../channel/cell-channel.ts'
import { errorDataOf } from './error-data.ts'

/** One lease of a cell, from the order to open it until it has ended. */
interface Lane {
  readonly ticket: Ticket
  place: WorkerPlace | undefined
}

/** Milliseconds between two looks whether the native calls of retired leases still run. */
const retiredCheck = 20

/** The cell's side: opens leases in workers of its process when its host orders it, and joins their ports to lanes. */
export class CellServer {
  readonly #channel: CellChannel
  readonly #lanes = new Map<number, Lane>()
  readonly #retired = new Map<number, WorkerPlace>()
  #leases: ThreadPlaces | undefined
  #warmth: WarmPool | undefined

  constructor(channel: CellChannel) {
    this.#channel = channel
  }

  obey(order: CellOrder): void {
    switch (order.kind) {
      case 'start':
        this.#start(order.settings, order.engine)
        break
      case 'open':
        void this.#open(order.lane, order.record)
        break
      case 'release':
        this.#leave(order.lane)?.release()
        this.#warmth?.keep()
        break
      case 'giveUp':
        this.#retire(order.lane, order.suspect)
        break
      case 'ping':
        this.#answer(order.ping)
    }
  }

  /** A lane was closed because a message of it could not cross. */
  broken(lane: number, message: string): void {
    this.#tell({ kind: 'lost', lane, loss: { code: 'PROTOCOL', message } })
  }

  #start(settings: CellSettings, engine: EngineSource): void {
    const { sandboxes, sandboxesPerWorker, warm, workerUrl, idleWorkerTimeout } = settings
    const leases = new ThreadPlaces({
      capacity: sandboxesPerWorker,
      maxThreads: 8 * sandboxes,
      warm,
      maxIdle: Math.ceil(sandboxes / sandboxesPerWorker),
      idleTimeout: idleWorkerTimeout,
      workerUrl: new URL(workerUrl),
      engine: { find: () => Promise.resolve(engine), forget: () => undefined },
    })
    const free = () => sandboxes - this.#lanes.size
    this.#leases = leases
    this.#warmth = new WarmPool(() => leases, { wanted: () => Math.min(warm, free()), most: free })
    this.#warmth.keep()
    this.#tell({ kind: 'ready' })
  }

  async #open(lane: number, record: ShellRecord): Promise<void> {
    const ticket = new Ticket()
    const opening: Lane = { ticket, place: undefined }
    this.#lanes.set(lane, opening)
    try {
      if (this.#leases === undefined) throw new Error('The cell was not started.')
      const place = await this.#leases.open(record, ticket)
      opening.place = place
      this.#channel.bridge(lane, place.port)
      place.onLost((loss) => this.#tell({ kind: 'lost', lane, loss }))
      this.#tell({ kind: 'opened', lane, timeout: place.timeout, allowance: place.allowance })
    } catch (error) {
      this.#lanes.delete(lane)
      this.#tell({ kind: 'refused', lane, error: errorDataOf(error) })
    }
    this.#warmth?.keep()
  }

  #leave(lane: number): WorkerPlace | undefined {
    const place = this.#lanes.get(lane)?.place
    this.#lanes.delete(lane)
    return place
  }

  #retire(lane: number, suspect: boolean): void {
    const ticket = this.#lanes.get(lane)?.ticket
    const place = this.#leave(lane)
    if (place === undefined) {
      ticket?.abandon()
      return
    }
    place.giveUp({ suspect })
    this.#retired.set(lane, place)
    if (this.#retired.size === 1) this.#watchRetired()
  }

  #watchRetired(): void {
    for (const [lane, place] of this.#retired) {
      if (place.isBusy()) continue
      this.#retired.delete(lane)
      this.#tell({ kind: 'ended', lane })
    }
    if (this.#retired.size > 0) setTimeout(() => this.#watchRetired(), retiredCheck)
    else this.#warmth?.keep()
  }

  #answer(ping: number): void {
    const { workers, idle } = this.#leases?.figures ?? { workers: 0, idle: 0 }
    this.#tell({ kind: 'pong', ping, workers, idle, rss: process.memoryUsage.rss() })
  }

  #tell(news: CellNews): void {
    this.#channel.sendControl(news)
  }
}
