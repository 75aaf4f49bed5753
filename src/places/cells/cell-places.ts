import { outsideRequests } from '../../async/outside-requests.ts'
import type { EngineSource } from '../../contract/lease.ts'
import type { HostEngine } from '../../engines/host-engine.ts'
import { EngineUnavailableError, SandboxClosedError } from '../../sandbox/errors.ts'
import { findCellEntry, findWorkerEntry } from '../built-entry.ts'
import type { OpenRequest } from '../open-request.ts'
import type { Place } from '../place.ts'
import type { PlaceFigures, Places } from '../places.ts'
import { Cell } from './cell.ts'
import type { CellNetwork, CellPass, CellPolicy } from './cell-network.ts'
import { CellReplacement } from './cell-replacement.ts'

/** How the cells of a host are kept. Durations in seconds. */
export interface CellPlacesOptions {
  readonly maxCells: number
  readonly sandboxesPerCell: number
  /** Leases that a worker of a cell serves at most. */
  readonly sandboxesPerWorker: number
  /** Bytes. */
  readonly maxCellMemory: number
  readonly cellBackoff: number
  /** Places that are kept ready, if need be in cells without a lease. */
  readonly warm: number
  /** Retired leases at which the cell that has most of them is ended. */
  readonly maxRetired: number
  /** Told when a warm place may be gone, or may be made again. */
  readonly onWarmth: () => void
  /** After which a cell without a lease is ended, and an idle worker of a cell. */
  readonly idleTimeout: number
  readonly workerUrl?: URL | undefined
  readonly cellUrl?: URL | undefined
  readonly engine: HostEngine
  readonly network: CellNetwork
}

/** What every cell is started with. */
interface Supplies {
  readonly engine: EngineSource
  readonly entry: URL
  readonly workerEntry: URL
}

/** A cell, and what its host knows of it. */
interface HostedCell {
  readonly cell: Cell
  readonly pass: CellPass
  readonly started: number
  policy: CellPolicy
  idle: NodeJS.Timeout | undefined
}

/** An opening for which there is no cell yet. */
interface Waiter {
  readonly policy: CellPolicy
  readonly enter: (cell: Cell) => void
  readonly refuse: (reason: unknown) => void
}

/** The places of a host's cells: which sandbox goes into which cell, when a cell is started and when it is ended. */
export class CellPlaces implements Places {
  readonly #options: CellPlacesOptions
  readonly #cells = new Set<HostedCell>()
  readonly #waiters = new Set<Waiter>()
  readonly #replacement: CellReplacement
  #supplies: Supplies | undefined
  #supplying: Promise<void> | undefined
  /** True where a cell could not use them: the next opening looks for others. */
  #stale = false
  #retry: NodeJS.Timeout | undefined
  #cellsStarted = 0
  #closed = false

  constructor(options: CellPlacesOptions) {
    this.#options = options
    this.#replacement = new CellReplacement(options.cellBackoff)
  }

  get figures(): PlaceFigures {
    const queued = this.#waiters.size
    const figures = { cells: 0, workers: 0, leased: 0, idle: 0, retired: 0, queued }
    for (const { cell } of this.#cells) {
      figures.cells += 1
      figures.workers += cell.workers.workers
      figures.idle += cell.workers.idle
      figures.leased += cell.leases
      figures.retired += cell.retired
    }
    return figures
  }

  get freePlaces(): number {
    let free = 0
    for (const { cell } of this.#cells) if (cell.isReady) free += cell.free
    return free
  }

  /** Ends cells without a lease that so many further leases could never need. */
  trim(leases: number): void {
    const deserted = this.#deserted()
    const needed = Math.ceil(leases / this.#options.sandboxesPerCell)
    for (const { cell } of deserted.slice(0, Math.max(0, deserted.length - needed))) endIdle(cell)
  }

  /** Starts cells until so many places are free, or there are as many cells as there may be. */
  async prepare(count: number): Promise<void> {
    const policy = this.#options.network.policyOf({ allowedUrls: [] })
    await this.#supply()
    const starting = [...this.#cells]
      .map(({ cell }) => cell)
      .filter(({ alive, isReady }) => alive && !isReady)
    let free = this.freePlaces + starting.reduce((sum, cell) => sum + cell.free, 0)
    for (; free < count; free += this.#options.sandboxesPerCell) {
      const cell = this.#startCell(policy)
      if (cell === undefined) break
      starting.push(cell)
    }
    await Promise.all(starting.map(({ ready }) => ready))
  }

  async open(request: OpenRequest): Promise<Place> {
    const policy = this.#options.network.policyOf(request.record)
    await this.#supply()
    return this.#enter(policy, request)
  }

  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#retry)
    for (const { refuse } of this.#waiters) refuse(closed())
    this.#waiters.clear()
    const loss = { code: 'WORKER_EXITED', message: 'The host was closed.' } as const
    await Promise.all([...this.#cells].map(({ cell }) => cell.close(loss)))
    await this.#supplying?.catch(() => undefined) // Whoever needed it was told.
    await this.#options.network.close()
  }

  /** Looks for its files again only while no cell lives that was started from them. */
  async #supply(): Promise<void> {
    if (this.#closed) throw closed()
    if (this.#supplies !== undefined && this.#cells.size > 0 && !this.#stale) return
    this.#supplying = this.#findSupplies()
    await this.#supplying
  }

  async #findSupplies(): Promise<void> {
    const { engine, cellUrl, workerUrl, network } = this.#options
    const [source, entry, workerEntry] = await Promise.all([
      engine.find(),
      findCellEntry(cellUrl),
      findWorkerEntry(workerUrl),
      network.start(),
    ])
    this.#supplies = { engine: source, entry, workerEntry }
    this.#stale = false
  }

  /** Has an opening enter a cell as soon as there is one for it. */
  #enter(policy: CellPolicy, request: OpenRequest): Promise<Place> {
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        policy,
        enter: (cell) => resolve(this.#opening(cell.open(request))),
        refuse: reject,
      }
      request.throwIfCancelled()
      if (this.#closed) throw closed()
      this.#waiters.add(waiter)
      request.onCancel(() => {
        if (this.#waiters.delete(waiter)) reject(request.signal.reason)
      })
      this.#serve()
    })
  }

  async #opening(opening: Promise<Place>): Promise<Place> {
    try {
      return await opening
    } catch (error) {
      if (error instanceof EngineUnavailableError) {
        this.#options.engine.forget()
        this.#stale = true
      }
      throw error
    }
  }

  /** Gives cells to those that wait for one, first come, first served among those that may share one. */
  #serve(): void {
    for (const waiter of this.#waiters) {
      try {
        const cell = this.#cellFor(waiter.policy)
        if (cell === undefined) continue
        waiter.enter(cell)
      } catch (error) {
        waiter.refuse(error)
      }
      this.#waiters.delete(waiter)
    }
  }

  /**
   * A cell without a lease, else a new one, else the emptiest: the fewer share a cell, the fewer it takes along. Only
   * where places are kept warm, speed comes first. A cell that has served another policy is not used again.
   */
  #cellFor(policy: CellPolicy): Cell | undefined {
    const hosted = [...this.#cells].filter(({ cell }) => cell.free > 0)
    const ofPolicy = hosted.filter(({ policy: { key } }) => key === policy.key)
    const [emptiest] = ofPolicy.sort((a, b) => a.cell.leases - b.cell.leases)
    const deserted = emptiest?.cell.leases === 0 ? emptiest : undefined
    const unused = deserted ?? hosted.find(({ cell }) => cell.isUnused)
    const warm = this.#options.warm > 0 ? emptiest : undefined
    const found = unused ?? warm
    if (found !== undefined) return this.#use(found, policy)
    const fresh = this.#startCell(policy)
    if (fresh !== undefined) return fresh
    if (emptiest !== undefined) return this.#use(emptiest, policy)
    const [other] = this.#deserted()
    if (other !== undefined) endIdle(other.cell)
    return undefined
  }

  #use(hosted: HostedCell, policy: CellPolicy): Cell {
    if (hosted.policy.key !== policy.key) {
      hosted.pass.update(policy)
      hosted.policy = policy
    }
    clearTimeout(hosted.idle)
    hosted.idle = undefined
    return hosted.cell
  }

  /** Undefined where there are as many as there may be, or none may be started yet. */
  #startCell(policy: CellPolicy): Cell | undefined {
    const taking = [...this.#cells].filter(({ cell }) => cell.alive && cell.retired === 0)
    if (this.#closed || this.#supplies === undefined || this.#replacement.wait > 0) return undefined
    if (taking.length >= this.#options.maxCells) return undefined
    const { engine, entry, workerEntry } = this.#supplies
    const { sandboxesPerCell, sandboxesPerWorker, maxCellMemory, warm, idleTimeout, network } = this.#options
    const pass = network.admit(`cell-${++this.#cellsStarted}`, policy)
    const settings = {
      workerUrl: workerEntry.href,
      sandboxes: sandboxesPerCell,
      sandboxesPerWorker,
      warm: Math.max(1, Math.min(warm, sandboxesPerCell)),
      idleWorkerTimeout: idleTimeout,
    }
    const { env } = pass
    const onChange = () => this.#changed()
    const cell = outsideRequests(
      () => new Cell({ entry, env, engine, settings, maxMemory: maxCellMemory, onChange }),
    )
    const hosted: HostedCell = { cell, pass, policy, started: performance.now(), idle: undefined }
    this.#cells.add(hosted)
    void cell.ended.then(() => this.#ended(hosted))
    return cell
  }

  /** Serves again when a cell may be started again. Whoever waits keeps the process alive. */
  #serveOnceAllowed(): void {
    clearTimeout(this.#retry)
    const { wait } = this.#replacement
    if (this.#closed) return
    if (wait > 0) {
      this.#retry = outsideRequests(() => setTimeout(() => this.#serveOnceAllowed(), wait + 1)).unref()
      return
    }
    this.#serve()
    this.#options.onWarmth()
  }

  #ended(hosted: HostedCell): void {
    const { cell, pass, started, idle } = hosted
    clearTimeout(idle)
    pass.revoke()
    this.#cells.delete(hosted)
    if (cell.diedByItself) this.#replacement.died(started)
    this.#changed()
    this.#serveOnceAllowed()
  }

  #changed(): void {
    this.#endMostRetired()
    for (const hosted of this.#deserted()) {
      hosted.idle ??= outsideRequests(() =>
        setTimeout(() => this.#idleFor(hosted), this.#options.idleTimeout * 1000),
      ).unref()
    }
    this.#serve()
  }

  /** Cells without a lease, those that rest longest first. */
  #deserted(): readonly HostedCell[] {
    return [...this.#cells].filter(({ cell }) => cell.isReady && cell.leases === 0)
  }

  #idleFor(hosted: HostedCell): void {
    hosted.idle = undefined
    const { warm, sandboxesPerCell } = this.#options
    if (hosted.cell.leases > 0) return
    if (this.#deserted().length > Math.ceil(warm / sandboxesPerCell)) endIdle(hosted.cell)
    else this.#changed()
  }

  #endMostRetired(): void {
    if (this.figures.retired < this.#options.maxRetired) return
    const [most] = [...this.#cells].sort((a, b) => b.cell.retired - a.cell.retired)
    most?.cell.kill({
      code: 'CELL_KILLED',
      message: `The cell was killed: ${most.cell.retired} retired sessions of it still ran their last command (maxRetired: ${this.#options.maxRetired}).`,
    })
  }
}

function endIdle(cell: Cell): void {
  cell.kill({ code: 'WORKER_EXITED', message: 'The cell had no sandbox.' })
}

function closed(): SandboxClosedError {
  return new SandboxClosedError('The host of this sandbox is closed.')
}
