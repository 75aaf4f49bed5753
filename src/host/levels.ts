import type { Isolation } from '../contract/isolation.ts'
import type { HostEngine } from '../engines/host-engine.ts'
import { CellNetwork } from '../places/cells/cell-network.ts'
import { CellPlaces } from '../places/cells/cell-places.ts'
import { type PlaceFigures, type Places, sumFigures } from '../places/places.ts'
import { ThreadPlaces } from '../places/threads/thread-places.ts'
import { sandboxesPerWorkerDefaults } from './derive-places.ts'
import type { HostEvents } from './host-events.ts'
import { cellNetwork } from './network-policy.ts'
import type { ResolvedHostOptions } from './options.ts'

/** The places of a host: one kind for each isolation level and engine, made at first use. */
export class Levels {
  readonly #options: ResolvedHostOptions
  readonly #events: HostEvents
  readonly #warmEngine: HostEngine
  readonly #onFreePlaces: () => void
  readonly #onWait: () => void
  readonly #places = new Map<string, Places>()

  /**
   * @param warmEngine - the engine of the places that are kept warm.
   * @param onFreePlaces - called when a warm place may be gone, or may be made again.
   * @param onWait - called when an opening has to wait for another sandbox.
   */
  constructor(
    options: ResolvedHostOptions,
    {
      events,
      warmEngine,
      onFreePlaces,
      onWait,
    }: { events: HostEvents; warmEngine: HostEngine; onFreePlaces: () => void; onWait: () => void },
  ) {
    this.#options = options
    this.#events = events
    this.#warmEngine = warmEngine
    this.#onFreePlaces = onFreePlaces
    this.#onWait = onWait
  }

  get figures(): PlaceFigures {
    return sumFigures([...this.#places.values()].map((places) => places.figures))
  }

  /** The places that are kept warm. */
  get warm(): Places {
    return this.placesOf(this.#options.isolation, this.#warmEngine)
  }

  placesOf(isolation: Isolation, engine: HostEngine): Places {
    const key = `${isolation} ${engine.key}`
    const known = this.#places.get(key)
    if (known !== undefined) return known
    const places = isolation === 'process' ? this.#makeCells(engine) : this.#makeThreads(isolation, engine)
    this.#places.set(key, places)
    return places
  }

  async close(): Promise<void> {
    await Promise.all([...this.#places.values()].map((places) => places.close()))
  }

  #makeThreads(isolation: 'worker' | 'shared', engine: HostEngine): Places {
    const { maxSandboxes, maxRetired, maxIdleWorkers, idleWorkerTimeout, sandboxesPerWorker, workerUrl } =
      this.#options
    return new ThreadPlaces({
      engine,
      capacity: isolation === 'worker' ? 1 : (sandboxesPerWorker ?? sandboxesPerWorkerDefaults.shared),
      maxThreads: 2 * maxSandboxes + maxRetired,
      warm: this.#warmCount(isolation, engine),
      maxIdle: maxIdleWorkers,
      idleTimeout: idleWorkerTimeout,
      workerUrl,
    })
  }

  #makeCells(engine: HostEngine): Places {
    const { sandboxesPerWorker, idleWorkerTimeout, network } = this.#options
    return new CellPlaces({
      ...this.#options,
      engine,
      sandboxesPerWorker: sandboxesPerWorker ?? sandboxesPerWorkerDefaults.process,
      warm: this.#warmCount('process', engine),
      idleTimeout: idleWorkerTimeout,
      onFreePlaces: this.#onFreePlaces,
      onWait: this.#onWait,
      network: new CellNetwork(cellNetwork(network), {
        onDecision: (decision) => this.#events.emit('egress', () => decision),
        onEnd: (end) => this.#events.emit('egressEnd', () => end),
      }),
    })
  }

  #warmCount(isolation: Isolation, engine: HostEngine): number {
    const isWarm = isolation === this.#options.isolation && engine.key === this.#warmEngine.key
    return isWarm ? this.#options.warm : 0
  }
}
