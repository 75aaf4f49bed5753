import { fileURLToPath } from 'node:url'
import { clearTimeout, performance, setTimeout } from '../../async/clock.ts'
import { outsideRequests } from '../../async/outside-requests.ts'
import { MOST_THREAD_PIPES } from '../../contract/cell.ts'
import type { EngineNeeds, HostEngine } from '../../engines/host-engine.ts'
import { EngineUnavailableError, type HostBound } from '../../sandbox/errors.ts'
import { exhaustionCode } from '../../sandbox/exhaustion.ts'
import type { KeptCode } from '../code/kept-code.ts'
import { hostClosed } from '../host-closed.ts'
import type { OpenRequest } from '../open-request.ts'
import type { Place } from '../place.ts'
import type { PlaceFigures, Places } from '../places.ts'
import { processRoom } from '../room/room.ts'
import { sum } from '../sum.ts'
import { Cell } from './cell.ts'
import type { CellDemand } from './cell-demand.ts'
import { cellGroup } from './cell-group.ts'
import type { CellNetwork, CellPass } from './cell-network.ts'
import type { CellCommand } from './cell-process.ts'
import { CellReplacement } from './cell-replacement.ts'
import { CellSupplies, type Supplies } from './cell-supplies.ts'
import { CellWaiters } from './cell-waiters.ts'
import { choosePlacement } from './choose-placement.ts'
import { yieldingCells } from './fair-cells.ts'
import { endIdle, IdleCells } from './idle-cells.ts'
import type { CellHardener } from './jail/hardening.ts'
import { hostPaths } from './jail/host-paths.ts'

/** What the start of a cell takes: its pipes, and the threads with which Node and the engine begin there. */
function cellNeeds(threadPipes: number): EngineNeeds {
  return { descriptors: 16 + 2 * threadPipes, tasks: 20, addressSpace: 0 }
}

/** How the cells of a host are kept. Durations in seconds. */
export interface CellPlacesOptions {
  readonly maxCells: number
  /** While there are fewer cells, a sandbox gets a cell of its own. */
  readonly cellsBeforeSharing: number
  /** True where a cell with leases is filled before another one is used. */
  readonly fillsCells: boolean
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
  readonly onFreePlaces: () => void
  /** Told when an opening waits for another sandbox to leave. */
  readonly onWait: () => void
  /** After which a cell without a lease is ended, and an idle worker of a cell. */
  readonly idleTimeout: number
  readonly workerUrl?: URL | undefined
  readonly cellUrl?: URL | undefined
  /** What events call the next cell. */
  readonly nameCell: () => string
  readonly engine: HostEngine
  readonly network: CellNetwork
  readonly hardening: CellHardener
  /** The compiled code of what the workers of cells load. Default: none. */
  readonly code?: KeptCode | undefined
}

/** What its host knows of a cell. */
interface CellEntry {
  readonly id: number
  readonly cell: Cell
  readonly pass: CellPass
  /** When it was started, by `performance.now()`. */
  readonly started: number
  demand: CellDemand
}

/** The places of a host's cells: which sandbox goes into which cell, when a cell is started and when it is ended. */
export class CellPlaces implements Places {
  readonly #options: CellPlacesOptions
  /** By number, the oldest first. */
  readonly #cells = new Map<number, CellEntry>()
  readonly #supplies: CellSupplies
  readonly #waiters = new CellWaiters<Cell>()
  readonly #idle: IdleCells<Cell>
  readonly #replacement: CellReplacement
  /** Idle cells that were ended for openings that wait: until they are gone nobody else gets what they leave. */
  readonly #makingRoom = new Set<Cell>()
  #retry: NodeJS.Timeout | undefined
  #cellsStarted = 0
  #closed = false

  constructor(options: CellPlacesOptions) {
    this.#options = options
    this.#supplies = new CellSupplies(options)
    this.#replacement = new CellReplacement(options.cellBackoff)
    this.#idle = new IdleCells({
      // One in which a retired lease runs ends by itself, with the reason.
      cells: () => this.#all().filter(({ retired }) => retired === 0),
      timeout: options.idleTimeout,
      kept: this.#kept,
    })
  }

  /** Pipes of a cell's threads. A thread that computes could send nothing on one meanwhile: its cell passes on what it posts. */
  get #threadPipes(): number {
    const { engine, sandboxesPerCell, sandboxesPerWorker } = this.#options
    if (engine.leavesLoopFree !== true) return 0
    return Math.min(Math.ceil(sandboxesPerCell / sandboxesPerWorker), MOST_THREAD_PIPES)
  }

  /** Idle cells that stay for good. */
  get #kept(): number {
    return Math.ceil(this.#options.warm / this.#options.sandboxesPerCell)
  }

  get figures(): PlaceFigures {
    const queued = this.#waiters.size
    const figures = { cells: 0, workers: 0, leased: 0, idle: 0, retired: 0, queued }
    for (const cell of this.#all()) {
      figures.cells += 1
      figures.workers += cell.workers.workers
      figures.idle += cell.workers.idle
      figures.leased += cell.leases
      figures.retired += cell.retired
    }
    return figures
  }

  get freePlaces(): number {
    return sum(
      this.#all()
        .filter(({ isReady }) => isReady)
        .map(({ free }) => free),
    )
  }

  /** Ends cells without a lease that so many further leases could never need. */
  trim(leases: number): void {
    this.#idle.trim(Math.ceil(leases / this.#options.sandboxesPerCell))
  }

  /** Starts cells until so many places are free, or there are as many cells as there may be. */
  async prepare(count: number): Promise<void> {
    const policy = this.#options.network.policyOf({ allowedUrls: [] })
    await this.#supply()
    const files = await this.#supplies.found?.jail?.filesOf([])
    const starting = this.#all().filter(({ alive, isReady }) => alive && !isReady)
    let free = this.freePlaces + sum(starting.map((cell) => cell.free))
    // An opening that waits for an idle cell to end comes first.
    for (
      ;
      free < count && this.#mayStart && this.#waiters.size === 0;
      free += this.#options.sandboxesPerCell
    ) {
      starting.push(this.#start({ owner: '', policy, files }))
    }
    await Promise.all(starting.map(({ ready }) => ready))
  }

  async open(request: OpenRequest): Promise<Place> {
    const policy = this.#options.network.policyOf(request.record, request.owner)
    await this.#supply()
    const files = await this.#supplies.found?.jail?.filesOf(await hostPaths(request.record))
    if (this.#closed) throw hostClosed()
    const place = this.#waiters.wait({ owner: request.owner, policy, files }, request, (cell) =>
      this.#openIn(cell, request),
    )
    this.#serve()
    if (this.#waiters.has(request)) this.#options.onWait()
    return place
  }

  boundOf(request: OpenRequest): HostBound | undefined {
    if (!this.#waiters.has(request)) return undefined
    return this.#replacement.wait > 0 ? 'cellBackoff' : 'maxCells'
  }

  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#retry)
    this.#waiters.refuse(hostClosed())
    const loss = { code: 'HOST_CLOSED', message: 'The host was closed.' } as const
    await Promise.all(this.#all().map((cell) => cell.close(loss)))
    await this.#supplies.settled()
    await this.#options.network.close()
  }

  #all(): Cell[] {
    return [...this.#cells.values()].map(({ cell }) => cell)
  }

  async #supply(): Promise<void> {
    if (this.#closed) throw hostClosed()
    await this.#supplies.find({ cellsLive: this.#cells.size > 0 })
  }

  async #openIn(cell: Cell, request: OpenRequest): Promise<Place> {
    try {
      const place = await cell.open(request)
      const { found } = this.#supplies
      if (found !== undefined) this.#options.code?.opened(found.engine, found.workerEntry)
      return place
    } catch (error) {
      if (error instanceof EngineUnavailableError) this.#supplies.discard()
      // A cell keeps the limits that it was started with: the next one has those of now.
      if (exhaustionCode(error) !== undefined && cell.leases + cell.retired === 0) endIdle(cell)
      throw error
    }
  }

  #serve(): void {
    this.#waiters.serve(
      (demand) => this.#cellFor(demand),
      (owner) => this.#taking.filter(({ demand }) => demand.owner === owner).length,
    )
  }

  /** Undefined where the opening has to wait. */
  #cellFor(demand: CellDemand): Cell | undefined {
    const yielding = this.#yielding
    const cells = [...this.#cells].map(([id, { cell, demand: served }]) => {
      const { isReady, leases, isUnused } = cell
      const free = yielding.has(id) ? 0 : cell.free
      return { id, isReady, free, leases, isUnused, ...keysOf(served) }
    })
    const { warm, cellsBeforeSharing, fillsCells } = this.#options
    const wanted = {
      ...keysOf(demand),
      shares: warm > 0 || this.#taking.length >= cellsBeforeSharing,
      fills: fillsCells,
    }
    const choose = (mayStart: boolean) => choosePlacement(cells, { ...wanted, mayStart })
    let placement = choose(this.#mayStart)
    if (placement.kind === 'start') {
      const shortage = processRoom.shortage(cellNeeds(this.#threadPipes))
      if (shortage === undefined) {
        // Those that are idle have other policies.
        this.#idle.trim(Math.max(this.#kept, cellsBeforeSharing - 1))
        return this.#start(demand)
      }
      placement = choose(false)
      if (placement.kind === 'wait') throw shortage
    }
    if (placement.kind !== 'use' && placement.kind !== 'endAndWait') return undefined
    const entry = this.#cells.get(placement.id)
    if (entry === undefined) return undefined
    if (placement.kind === 'use') return this.#use(entry, demand)
    this.#makingRoom.add(entry.cell)
    endIdle(entry.cell)
    return undefined
  }

  #use(entry: CellEntry, demand: CellDemand): Cell {
    if (entry.demand.policy.key !== demand.policy.key) {
      entry.pass.update(demand.policy)
      entry.demand = demand
    }
    this.#idle.forget(entry.cell)
    return entry.cell
  }

  /** False where there are as many as there may be, or none may be started yet. */
  get #mayStart(): boolean {
    const taken = this.#taking.length + this.#makingRoom.size
    return !this.#closed && this.#replacement.wait <= 0 && taken < this.#options.maxCells
  }

  /** Cells that take sandboxes. */
  get #taking(): readonly CellEntry[] {
    return [...this.#cells.values()].filter(({ cell: { alive, retired } }) => alive && retired === 0)
  }

  /** Cells that are to become empty for owners who wait; none while another may be started. */
  get #yielding(): ReadonlySet<number> {
    const taking = this.#taking
    const waiting = [...this.#waiters.owners]
    if (taking.length < this.#options.maxCells || waiting.length === 0) return new Set()
    const cells = taking.map(({ id, cell, demand: { owner } }) => ({ id, owner, leases: cell.leases }))
    return yieldingCells(
      cells.filter(({ leases }) => leases > 0),
      waiting,
    )
  }

  #start(demand: CellDemand): Cell {
    const { found } = this.#supplies
    if (found === undefined) throw new TypeError('Nothing was found to start a cell with.')
    const { engine, workerEntry } = found
    const { sandboxesPerCell, sandboxesPerWorker, maxCellMemory, warm, idleTimeout, network } = this.#options
    const id = ++this.#cellsStarted
    const name = this.#options.nameCell()
    const pass = network.admit(name, demand.policy)
    const settings = {
      workerUrl: workerEntry.href,
      sandboxes: sandboxesPerCell,
      sandboxesPerWorker,
      warm: Math.min(warm, sandboxesPerCell),
      idleWorkerTimeout: idleTimeout,
      threadPipes: this.#threadPipes,
      ...(pass.proxy === undefined ? {} : { proxy: pass.proxy }),
      ...(found.jail === undefined || pass.socket === undefined ? {} : { proxySocket: pass.socket }),
    }
    const command = commandOf(found, demand, pass)
    const { blank } = this.#options.engine
    const onChange = () => this.#changed()
    const maxMemory = maxCellMemory
    const cell = startCell(pass, this.#threadPipes, () =>
      outsideRequests(() => {
        const group = command.filter === undefined ? undefined : cellGroup(sandboxesPerCell, maxMemory)
        try {
          return new Cell({ name, command, engine, blank, settings, maxMemory, group, onChange })
        } catch (error) {
          group?.remove()
          throw error
        }
      }),
    )
    this.#cells.set(id, { id, cell, pass, demand, started: performance.now() })
    void cell.ended.then(() => this.#ended(id))
    return cell
  }

  #ended(id: number): void {
    const entry = this.#cells.get(id)
    if (entry === undefined) return
    const { cell, pass, started } = entry
    this.#idle.forget(cell)
    this.#makingRoom.delete(cell)
    pass.revoke()
    this.#cells.delete(id)
    if (cell.diedByItself) this.#replacement.died(started)
    this.#changed()
    this.#serveOnceAllowed()
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
    this.#options.onFreePlaces()
  }

  #changed(): void {
    this.#endMostRetired()
    // Further sandboxes would share cells before they needed as many.
    this.#idle.trim(Math.max(this.#kept, this.#options.cellsBeforeSharing))
    this.#idle.watch()
    this.#serve()
  }

  #endMostRetired(): void {
    const { maxRetired } = this.#options
    if (this.figures.retired < maxRetired) return
    const [most] = this.#all().sort((a, b) => b.retired - a.retired)
    most?.kill({
      code: 'CELL_KILLED',
      message: `The cell was killed: ${most.retired} retired sessions of it still ran their last command (maxRetired: ${maxRetired}).`,
    })
  }
}

function keysOf({ policy, files }: CellDemand): { readonly policyKey: string; readonly filesKey: string } {
  return { policyKey: policy.key, filesKey: files?.key ?? '' }
}

/** Node with the entry of cells, in a jail where there are jails. */
function commandOf({ entry, jail }: Supplies, { files }: CellDemand, { env, socket }: CellPass): CellCommand {
  const node = [process.execPath, fileURLToPath(entry)] as const
  if (jail === undefined || files === undefined) {
    return { program: node[0], args: node.slice(1), env, filter: undefined }
  }
  const { program, filter } = jail.bubblewrap
  return {
    program,
    args: jail.arguments([...node], files, socket),
    env: jail.environment(env, files),
    filter,
  }
}

/** Starts a cell in the room that it takes until it is ready. Where that fails, it is let in no more. */
function startCell(pass: CellPass, threadPipes: number, start: () => Cell): Cell {
  let leaveRoom: (() => void) | undefined
  try {
    leaveRoom = processRoom.take(cellNeeds(threadPipes))
    const cell = start()
    void cell.ready.then(leaveRoom, leaveRoom)
    return cell
  } catch (error) {
    leaveRoom?.()
    pass.revoke()
    throw error
  }
}
