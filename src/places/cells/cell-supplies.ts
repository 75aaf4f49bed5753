import type { EngineSource } from '../../contract/lease.ts'
import type { HostEngine } from '../../engines/host-engine.ts'
import { findCellEntry, findWorkerEntry } from '../built-entry.ts'
import type { KeptCode } from '../code/kept-code.ts'
import { processRoom } from '../room/room.ts'
import type { CellNetwork } from './cell-network.ts'
import type { CellJail } from './jail/cell-jail.ts'
import type { CellHardener } from './jail/hardening.ts'

/** What a search takes of this process: it reads files, and starts the proxy. */
const searchNeeds = { descriptors: 16, tasks: 0, addressSpace: 0 }

/** What every cell is started with. */
export interface Supplies {
  readonly engine: EngineSource
  readonly entry: URL
  readonly workerEntry: URL
  /** Undefined where cells are in none. */
  readonly jail: CellJail | undefined
}

/** Where supplies come from. */
export interface SupplySources {
  readonly engine: Pick<HostEngine, 'find' | 'forget'>
  /** Default: the built entry. */
  readonly cellUrl?: URL | undefined
  /** Default: the built entry. */
  readonly workerUrl?: URL | undefined
  readonly network: CellNetwork
  readonly hardening: CellHardener
  /** The compiled code of what their workers load. Default: none. */
  readonly code?: KeptCode | undefined
}

/** Finds what cells are started with: the engine, the files, and the way to the network. */
export class CellSupplies {
  readonly #sources: SupplySources
  #found: Supplies | undefined
  #finding: Promise<void> | undefined
  /** True where a cell could not use what was found. */
  #isStale = false

  constructor(sources: SupplySources) {
    this.#sources = sources
  }

  /** Undefined before the first search has ended well. */
  get found(): Supplies | undefined {
    return this.#found
  }

  /**
   * Searches, unless cells live that were started with what was found, and could use it.
   *
   * @throws {EngineUnavailableError} when there is no engine for this machine
   * @throws {SandboxClosedError} when the network was closed
   * @throws {SandboxConfigError} when cells must be in jails, and this machine can have none
   * @throws {WorkerLostError} when nothing more can be opened to search
   */
  async find({ cellsLive }: { readonly cellsLive: boolean }): Promise<void> {
    if (this.#found !== undefined && cellsLive && !this.#isStale) return
    this.#finding ??= this.#searchWithRoom().finally(() => {
      this.#finding = undefined
    })
    await this.#finding
  }

  /** A cell could not use the engine: the next opening searches again. */
  discard(): void {
    this.#sources.engine.forget()
    this.#isStale = true
  }

  /** Resolves when no search is under way. */
  async settled(): Promise<void> {
    await this.#finding?.catch(() => undefined) // Whoever needed it was told.
  }

  async #searchWithRoom(): Promise<void> {
    const leaveRoom = await processRoom.wait(() => searchNeeds)
    try {
      await this.#search()
    } finally {
      leaveRoom()
    }
  }

  async #search(): Promise<void> {
    const { engine, cellUrl, workerUrl, network, hardening, code } = this.#sources
    const [found, entry, workerEntry] = await Promise.all([
      engine.find(),
      findCellEntry(cellUrl),
      findWorkerEntry(workerUrl),
      network.start(),
      hardening.find(),
    ])
    const source = (await code?.with(found, workerEntry)) ?? found
    const program = { engine: source, entry, workerEntry }
    const jail = await hardening.prepare(program, network.isPublic)
    if (jail !== undefined) await network.listenForJails()
    this.#found = { ...program, jail }
    this.#isStale = false
  }
}
