import type { Isolation } from '../contract/isolation.ts'
import type { HostEngine } from '../engines/host-engine.ts'
import { type CellHardening, chosenHardening } from '../places/cells/jail/found-hardening.ts'
import { codeOfThreads } from '../places/code/makers.ts'
import { hostClosed } from '../places/host-closed.ts'
import { type PlaceFigures, type Places, sumFigures } from '../places/places.ts'
import { processRoom } from '../places/room/room.ts'
import { LeaseNetwork } from '../places/threads/lease-network.ts'
import { ThreadPlaces } from '../places/threads/thread-places.ts'
import type { CellLevel, CellListeners } from './cell-level.ts'
import { sandboxesPerWorkerDefaults } from './derive-places.ts'
import { cellNetwork } from './network-policy.ts'
import type { ResolvedHostOptions } from './options.ts'

/** What loading the code of cells takes of this process: it reads files. */
const loadNeeds = { descriptors: 8, tasks: 0, addressSpace: 0 }

/** The places of a host: one kind for each isolation level and engine, made at first use. */
export class Levels {
  readonly #options: ResolvedHostOptions
  readonly #listeners: CellListeners
  readonly #warmEngine: HostEngine
  readonly #places = new Map<string, Places>()
  /** Undefined until the first cell is wanted: the code of cells is loaded then. */
  #cells: CellLevel | undefined
  #loading: Promise<CellLevel> | undefined
  /** Leases that have a pass of a proxy of their own. */
  #passes = 0
  #closed = false

  /** @param warmEngine - the engine of the places that are kept warm. */
  constructor(options: ResolvedHostOptions, listeners: CellListeners, warmEngine: HostEngine) {
    this.#options = options
    this.#listeners = listeners
    this.#warmEngine = warmEngine
  }

  get figures(): PlaceFigures {
    return sumFigures([...this.#places.values()].map((places) => places.figures))
  }

  /** What cells have; undefined before the first is started, where the machine decides. */
  get hardening(): CellHardening | undefined {
    return this.#cells === undefined ? chosenHardening(this.#options.hardening) : this.#cells.hardening
  }

  /** The places that are kept warm. */
  warm(): Promise<Places> {
    return this.placesOf(this.#options.isolation, this.#warmEngine)
  }

  /** Undefined before {@link Levels.placesOf} has made them. */
  known(isolation: Isolation, engine: HostEngine): Places | undefined {
    return this.#places.get(keyOf(isolation, engine))
  }

  /** @throws {SandboxClosedError}; {WorkerLostError} where the code of cells cannot be loaded now */
  async placesOf(isolation: Isolation, engine: HostEngine): Promise<Places> {
    const known = this.known(isolation, engine)
    if (known !== undefined) return known
    const level = isolation === 'process' ? await this.#cellLevel() : isolation
    if (this.#closed) throw hostClosed()
    // Another opening may have made them while the code of cells was loaded.
    return this.known(isolation, engine) ?? this.#make(isolation, engine, level)
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.#loading?.catch(() => undefined) // The opening that wanted cells was told.
    await Promise.all([...this.#places.values()].map((places) => places.close()))
  }

  async #cellLevel(): Promise<CellLevel> {
    if (this.#cells !== undefined) return this.#cells
    this.#loading ??= this.#loadCells().finally(() => {
      this.#loading = undefined
    })
    return this.#loading
  }

  /** @throws {WorkerLostError} where nothing more can be opened: Node 20 keeps that a module could not be loaded */
  async #loadCells(): Promise<CellLevel> {
    const leaveRoom = processRoom.take(loadNeeds)
    const { CellLevel } = await import('./cell-level.ts').finally(leaveRoom)
    this.#cells = new CellLevel(this.#options, this.#listeners)
    return this.#cells
  }

  #make(isolation: Isolation, engine: HostEngine, level: 'worker' | 'shared' | CellLevel): Places {
    const warm = this.#warmCount(isolation, engine)
    const places =
      typeof level === 'string' ? this.#makeThreads(level, engine, warm) : level.makePlaces(engine, warm)
    this.#places.set(keyOf(isolation, engine), places)
    return places
  }

  #makeThreads(isolation: 'worker' | 'shared', engine: HostEngine, warm: number): Places {
    const { maxSandboxes, maxRetired, maxIdleWorkers, idleWorkerTimeout, sandboxesPerWorker } = this.#options
    const { workerUrl, network } = this.#options
    const needsWayOut = engine.needsWayOut === true
    return new ThreadPlaces({
      engine,
      capacity: isolation === 'worker' ? 1 : (sandboxesPerWorker ?? sandboxesPerWorkerDefaults.shared),
      maxThreads: 2 * maxSandboxes + maxRetired,
      warm,
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
      listeners: this.#listeners.egress,
      nameLease: () => `pass-${++this.#passes}`,
    })
  }

  #warmCount(isolation: Isolation, engine: HostEngine): number {
    const isWarm = isolation === this.#options.isolation && engine.key === this.#warmEngine.key
    return isWarm ? this.#options.warm : 0
  }
}

function keyOf(isolation: Isolation, { key }: HostEngine): string {
  return `${isolation} ${key}`
}
