import { setTimeout } from '../../../async/clock.ts'
import type { CellChannel } from '../../../channel/cell-channel.ts'
import type { CellNews, CellOrder, CellSettings } from '../../../contract/cell-messages.ts'
import type { ShellRecord } from '../../../contract/shell-record.ts'
import { engineAt } from '../../../engines/engine-at.ts'
import type { HostEngine } from '../../../engines/host-engine.ts'
import { startRelay } from '../../../network/relay/relay.ts'
import { OpenRequest } from '../../open-request.ts'
import { ownMemory } from '../../own-memory.ts'
import type { Place, Retirement } from '../../place.ts'
import { ThreadPlaces } from '../../threads/thread-places.ts'
import { WarmPool } from '../../warm-pool.ts'
import { errorDataOf } from './error-data.ts'

/** One lease of a cell, from the order to open it until it has ended. */
interface Lane {
  readonly request: OpenRequest
  place: Place | undefined
}

/** Milliseconds between two looks whether the native calls of retired leases still run. */
const retiredCheck = 20

/** The cell's side: opens leases in workers of its process when its host orders it, and joins their ports to lanes. */
export class CellServer {
  readonly #channel: CellChannel
  readonly #lanes = new Map<number, Lane>()
  readonly #retired = new Map<number, Place>()
  #leases: ThreadPlaces | undefined
  #engine: HostEngine | undefined
  #warmPool: WarmPool | undefined
  /** Orders to open. */
  #openings = 0

  constructor(channel: CellChannel) {
    this.#channel = channel
  }

  obey(order: CellOrder): void {
    switch (order.kind) {
      case 'start':
        void this.#start(order.settings, engineAt(order.engine, order.blank))
        break
      case 'open':
        void this.#open(order.lane, order.record)
        break
      case 'release':
        this.#leave(order.lane)?.release()
        this.#warmPool?.keep()
        break
      case 'retire':
        this.#retire(order.lane, order)
        break
      case 'interrupt':
        this.#lanes.get(order.lane)?.place?.interrupt(order.call)
        break
      case 'ping':
        this.#answer(order.ping)
    }
  }

  /** A lane was closed because a message of it could not cross. */
  broken(lane: number, message: string): void {
    this.#tell({ kind: 'lost', lane, loss: { code: 'PROTOCOL', message } })
  }

  async #start(settings: CellSettings, engine: HostEngine): Promise<void> {
    const { sandboxes, sandboxesPerWorker, warm, workerUrl, idleWorkerTimeout, proxy, proxySocket } = settings
    const taken = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)
    if (proxy !== undefined && proxySocket !== undefined) {
      await startRelay(Number(new URL(proxy).port), proxySocket)
    }
    this.#engine = engine
    const leases = new ThreadPlaces({
      capacity: sandboxesPerWorker,
      maxThreads: 8 * sandboxes,
      warm,
      maxIdle: Math.ceil(sandboxes / sandboxesPerWorker),
      idleTimeout: idleWorkerTimeout,
      workerUrl: new URL(workerUrl),
      engine,
      proxy,
      pipes: { count: settings.threadPipes, taken },
    })
    const free = () => sandboxes - this.#lanes.size
    // Many cells have one sandbox: those that have had two keep a place ready for the next.
    const ahead = () => (this.#openings < 2 ? 0 : 1)
    this.#leases = leases
    // A worker that has become warm is for those that wait to open.
    const most = () => sandboxes - [...this.#lanes.values()].filter(({ place }) => place !== undefined).length
    this.#warmPool = new WarmPool(async () => leases, {
      wanted: () => Math.min(Math.max(warm, ahead()), free()),
      most,
    })
    this.#warmPool.keep()
    this.#tell({ kind: 'ready' })
  }

  async #open(lane: number, record: ShellRecord): Promise<void> {
    if (this.#leases === undefined || this.#engine === undefined)
      throw new TypeError('The cell was not started.')
    this.#openings += 1
    const request = new OpenRequest(this.#engine, record)
    request.lane = lane
    const opening: Lane = { request, place: undefined }
    this.#lanes.set(lane, opening)
    try {
      const place = await this.#leases.open(request)
      opening.place = place
      const { timeout, allowance, capabilities, pipe } = place
      if (pipe === undefined) this.#channel.bridge(lane, place.endpoint)
      place.onLost((loss) => this.#tell({ kind: 'lost', lane, loss }))
      const onPipe = pipe === undefined ? {} : { pipe }
      this.#tell({ kind: 'opened', lane, timeout, allowance, capabilities, ...onPipe })
    } catch (error) {
      this.#lanes.delete(lane)
      this.#tell({ kind: 'refused', lane, error: errorDataOf(error) })
    }
    this.#warmPool?.keep()
  }

  #leave(lane: number): Place | undefined {
    const place = this.#lanes.get(lane)?.place
    this.#lanes.delete(lane)
    place?.endpoint.close()
    return place
  }

  #retire(lane: number, { suspect, end }: Required<Retirement>): void {
    const request = this.#lanes.get(lane)?.request
    const place = this.#leave(lane)
    if (place === undefined) {
      request?.withdraw()
      return
    }
    place.retire({ suspect, end })
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
    else this.#warmPool?.keep()
  }

  #answer(ping: number): void {
    const { workers, idle } = this.#leases?.figures ?? { workers: 0, idle: 0 }
    this.#tell({ kind: 'pong', ping, workers, idle, rss: ownMemory() })
  }

  #tell(news: CellNews): void {
    this.#channel.sendControl(news)
  }
}
