import type { Isolation, ShellHostOptions } from '../src/index.ts'
import { SharedLock } from './shared-lock.ts'
import type { SoakHost } from './shells/shell.ts'
import { demandSame } from './violation.ts'

/** Host options of each isolation level: small limits, so that sandboxes share workers and cells, and these start and end often. */
export const hostOptions: Readonly<Record<Isolation, ShellHostOptions>> = {
  worker: { isolation: 'worker', idleWorkerTimeout: 5 },
  shared: { isolation: 'shared', sandboxesPerWorker: 6, idleWorkerTimeout: 5 },
  process: {
    isolation: 'process',
    // In a jail a sandbox does not see the number of its cell, by which faults are aimed best.
    hardening: 'none',
    // One more than the other sandboxes of a host at most: one that shares with nobody always finds a cell.
    maxCells: 7,
    sandboxesPerCell: 3,
    maxCellMemory: 512 * 2 ** 20,
    cellBackoff: 0.5,
    idleWorkerTimeout: 5,
  },
}

/** Those of cells in jails: sandboxes with different binds share none. */
const jailedOptions: ShellHostOptions = { ...hostOptions.process, hardening: 'require', maxCells: 12 }

/** The options of the hosts of a level that get faults. @param jails - whether their cells are in jails. */
function optionsOf(isolation: Isolation, jails: boolean): ShellHostOptions {
  return isolation === 'process' && jails ? jailedOptions : hostOptions[isolation]
}

/** Opens hosts whose losses are recorded, and closes them. */
export interface HostOpener {
  /** Whether cells that get faults are in jails. */
  readonly jails: boolean
  openHost(options: ShellHostOptions): SoakHost
  /** Drains a host. @throws {Violation} where it still has something after that */
  closeHost(host: SoakHost, grace: number): Promise<void>
}

/** The hosts of one isolation level, on which its actors open their sandboxes. */
export class Level {
  readonly isolation: Isolation
  /** Actors hold it while they perform an action. */
  readonly lock = new SharedLock()
  /** A host that lives for the whole run, so that its leaks add up. */
  readonly lasting: SoakHost
  readonly #opener: HostOpener
  #host: SoakHost

  constructor(opener: HostOpener, isolation: Isolation) {
    this.#opener = opener
    this.isolation = isolation
    this.#host = opener.openHost(optionsOf(isolation, opener.jails))
    this.lasting = opener.openHost({ ...hostOptions[isolation], maxCells: 2 })
  }

  /** The current host. `renew` replaces it. */
  get host(): SoakHost {
    return this.#host
  }

  /** Opens a new host, drains the old one, and checks that nothing is left of it. */
  async renew(grace: number): Promise<void> {
    const old = this.#host
    this.#host = this.#opener.openHost(optionsOf(this.isolation, this.#opener.jails))
    await this.#opener.closeHost(old, grace)
  }

  async close(): Promise<void> {
    await this.#opener.closeHost(this.#host, 0)
    await this.#opener.closeHost(this.lasting, 0)
  }

  /** To be called while no actor performs an action. @throws {Violation} where a call is running, waiting or queued */
  checkIdle(): void {
    for (const host of [this.#host, this.lasting]) {
      const { running, waiting, queued } = host.stats()
      const pending = host.list().filter((sandbox) => sandbox.pending > 0)
      const rest = { running: 0, waiting: 0, queued: 0, pending: [] }
      demandSame({ running, waiting, queued, pending }, rest, this.isolation)
    }
  }
}
