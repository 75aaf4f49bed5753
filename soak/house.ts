import type { Isolation, ShellHost, ShellHostOptions } from '../src/index.ts'
import { Gate } from './gate.ts'
import { demandSame } from './violation.ts'
import type { World } from './world.ts'

/** Options of the hosts of each level: small enough that sandboxes share workers and cells, and those come and go. */
export const hostOptions: Readonly<Record<Isolation, ShellHostOptions>> = {
  worker: { isolation: 'worker', idleWorkerTimeout: 5 },
  shared: { isolation: 'shared', sandboxesPerWorker: 6, idleWorkerTimeout: 5 },
  process: {
    isolation: 'process',
    maxCells: 6,
    sandboxesPerCell: 3,
    maxCellMemory: 512 * 2 ** 20,
    cellBackoff: 0.5,
    idleWorkerTimeout: 5,
  },
}

/** The hosts of one isolation level: where its actors open their sandboxes. */
export class House {
  readonly level: Isolation
  /** Actors are inside while they act. */
  readonly gate = new Gate()
  /** A host that is there from the start of the run to its end: what it leaves behind adds up. */
  readonly lasting: ShellHost
  readonly #world: World
  #host: ShellHost

  constructor(world: World, level: Isolation) {
    this.#world = world
    this.level = level
    this.#host = world.openHost(hostOptions[level])
    this.lasting = world.openHost({ ...hostOptions[level], maxCells: 2 })
  }

  /** A host that is drained now and then, and makes place for another. */
  get host(): ShellHost {
    return this.#host
  }

  /** Opens a new host, drains the old one, and looks that nothing is left of it. */
  async renew(grace: number): Promise<void> {
    const old = this.#host
    this.#host = this.#world.openHost(hostOptions[this.level])
    await this.#world.closeHost(old, grace)
  }

  async close(): Promise<void> {
    await this.#world.closeHost(this.#host, 0)
    await this.#world.closeHost(this.lasting, 0)
  }

  /** Nobody acts: nothing may be under way. @throws {Violation} */
  checkRest(): void {
    for (const host of [this.#host, this.lasting]) {
      const { running, waiting, queued } = host.stats()
      const pending = host.list().filter((sandbox) => sandbox.pending > 0)
      const rest = { running: 0, waiting: 0, queued: 0, pending: [] }
      demandSame({ running, waiting, queued, pending }, rest, this.level)
    }
  }
}
