import type { Isolation } from '../contract/isolation.ts'
import type { HostEngine } from '../engines/host-engine.ts'
import type { EgressListeners } from '../network/events.ts'
import { CellNetwork } from '../places/cells/cell-network.ts'
import { CellPlaces } from '../places/cells/cell-places.ts'
import { CellHardener, type CellHardening } from '../places/cells/jail/hardening.ts'
import { codeOfCells, codeOfThreads } from '../places/code/makers.ts'
import { type PlaceFigures, type Places, sumFigures } from '../places/places.ts'
import { LeaseNetwork } from '../places/threads/lease-network.ts'
import { ThreadPlaces } from '../places/threads/thread-places.ts'
import { sandboxesPerWorkerDefaults } from './derive-places.ts'
import { cellNetwork } from './network-policy.ts'
import type { ResolvedHostOptions } from './options.ts'

/** The places of a host: one kind for each isolation level and engine, made at first use. */
export class Levels {
  readonly #options: ResolvedHostOptions
  readonly #egress: EgressListeners
  readonly #hardening: CellHardener
  readonly #warmEngine: HostEngine
  readonly #onFreePlaces: () => void
  readonly #onWait: () => void
  readonly #places = new Map<string, Places>()
  /** Cells that were started, of every engine. */
  #cells = 0
  /** Leases that have a pass of a proxy of their own. */
  #passes = 0

  /**
   * @param egress - told of what the proxy of cells does.
   * @param onFallback - told once where cells are in no jail, and could be by the options.
   * @param warmEngine - the engine of the places that are kept warm.
   * @param onFreePlaces - called when a warm place may be gone, or may be made again.
   * @param onWait - called when an opening has to wait for another sandbox.
   */
  constructor(
    options: ResolvedHostOptions,
    {
      egress,
      onFallback,
      warmEngine,
      onFreePlaces,
      onWait,
    }: {
      egress: EgressListeners
      onFallback: (found: CellHardening) => void
      warmEngine: HostEngine
      onFreePlaces: () => void
      onWait: () => void
    },
  ) {
    this.#options = options
    this.#egress = egress
    this.#hardening = new CellHardener(options.hardening, onFallback)
    this.#warmEngine = warmEngine
    this.#onFreePlaces = onFreePlaces
    this.#onWait = onWait
  }

  get figures(): PlaceFigures {
    return sumFigures([...this.#places.values()].map((places) => places.figures))
  }

  /** What cells have; undefined before the first is started. */
  get hardening(): CellHardening | undefined {
    return this.#hardening.found
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
    const { maxSandboxes, maxRetired, maxIdleWorkers, idleWorkerTimeout, sandboxesPerWorker } = this.#options
    const { workerUrl, network } = this.#options
    const needsWayOut = engine.needsWayOut === true
    return new ThreadPlaces({
      engine,
      capacity: isolation === 'worker' ? 1 : (sandboxesPerWorker ?? sandboxesPerWorkerDefaults.shared),
      maxThreads: 2 * maxSandboxes + maxRetired,
      warm: this.#warmCount(isolation, engine),
      maxIdle: maxIdleWorkers,
      idleTimeout: idleWorkerTimeout,
      workerUrl,
      code: codeOfThreads,
      ...(needsWayOut ? { network: this.#makeNetwork(network) } : {}),
    })
  }

  #makeNetwork(network: ResolvedHostOptions['network']): LeaseNetwork {
    return new LeaseNetwork({
      mode: cellNetwork(network),
      listeners: this.#egress,
      nameLease: () => `pass-${++this.#passes}`,
    })
  }

  #makeCells(engine: HostEngine): Places {
    const { sandboxesPerWorker, idleWorkerTimeout, network, cellsFor } = this.#options
    return new CellPlaces({
      ...this.#options,
      engine,
      fillsCells: cellsFor !== 'policy',
      sandboxesPerWorker: sandboxesPerWorker ?? sandboxesPerWorkerDefaults.process,
      warm: this.#warmCount('process', engine),
      idleTimeout: idleWorkerTimeout,
      nameCell: () => `cell-${++this.#cells}`,
      onFreePlaces: this.#onFreePlaces,
      onWait: this.#onWait,
      network: new CellNetwork(cellNetwork(network), this.#egress),
      hardening: this.#hardening,
      code: codeOfCells,
    })
  }

  #warmCount(isolation: Isolation, engine: HostEngine): number {
    const isWarm = isolation === this.#options.isolation && engine.key === this.#warmEngine.key
    return isWarm ? this.#options.warm : 0
  }
}
