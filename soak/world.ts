import { setMaxListeners } from 'node:events'
import type { Isolation, ShellHost, ShellHostOptions } from '../src/index.ts'
import { ShellHost as Host } from '../src/index.ts'
import { CallBook } from './calls.ts'
import { Gate } from './gate.ts'
import { House } from './house.ts'
import { LossBook } from './losses.ts'
import { type Origins, startOrigins } from './origin.ts'
import { until } from './until.ts'
import { Violation } from './violation.ts'

/** What the actors of a run have in common. */
export class World {
  readonly seed: number
  /** A directory of the host for whatever a run puts there. */
  readonly directory: string
  readonly calls = new CallBook()
  readonly losses = new LossBook()
  readonly origins: Origins
  /** Whoever ends workers of this process, or their host, does so alone. */
  readonly workers = new Gate()
  readonly houses = new Map<Isolation, House>()
  /** The process of the cell in which each sandbox has its session, where that is known. */
  readonly cellOf = new Map<string, number>()
  /** The process of the cell that nothing happens to. */
  lastingCell: number | undefined
  /** Sandboxes that were closed, dropped ones that were collected among them. */
  closed = 0
  /** Sandboxes in the hands of actors. */
  held = 0
  readonly #hosts = new Set<ShellHost>()
  readonly #ended = new WeakSet<ShellHost>()
  readonly #stopping = new AbortController()
  readonly #afterClose: () => void
  #violation: Violation | undefined

  private constructor(seed: number, directory: string, origins: Origins, afterClose: () => void) {
    this.seed = seed
    this.directory = directory
    this.origins = origins
    this.#afterClose = afterClose
    setMaxListeners(0, this.stopping) // Every actor rests on it.
  }

  /** `afterClose` is called for every closed sandbox: a place to leak something. */
  static async make(
    seed: number,
    directory: string,
    levels: readonly Isolation[],
    afterClose: () => void = () => undefined,
  ): Promise<World> {
    const origins = await startOrigins((violation) => world.fail(violation))
    const world: World = new World(seed, directory, origins, afterClose)
    for (const level of levels) world.houses.set(level, new House(world, level))
    return world
  }

  /** Aborted when actors are to end. */
  get stopping(): AbortSignal {
    return this.#stopping.signal
  }

  /** What was violated first. */
  get violation(): Violation | undefined {
    return this.#violation
  }

  get hosts(): readonly ShellHost[] {
    return [...this.#hosts]
  }

  stop(): void {
    this.#stopping.abort()
  }

  /** Ends the run: something happened that never must. */
  fail(error: unknown): void {
    this.#violation ??=
      error instanceof Violation ? error : new Violation(`unexpected ${String(error)}`, { cause: error })
    this.stop()
  }

  /** Ends the run where a check throws. */
  guard(check: () => void): void {
    try {
      check()
    } catch (error) {
      this.fail(error)
    }
  }

  /** Whether a host takes no more calls. */
  hasEnded(host: ShellHost): boolean {
    return this.#ended.has(host)
  }

  /** A host whose losses are kept account of. */
  openHost(options: ShellHostOptions): ShellHost {
    const host = new Host(options)
    this.#hosts.add(host)
    host.on('lost', ({ id, generation, reason }) => {
      this.guard(() => this.losses.lost(id, generation, reason))
      if (id !== undefined) this.cellOf.delete(id)
    })
    host.on('rejected', ({ id, reason }) => {
      if (reason === 'WORKER_LOST' || reason === 'MEMORY_LIMIT') this.guard(() => this.losses.refused(id))
    })
    host.on('closed', ({ id }) => {
      this.closed += 1
      if (id !== undefined) this.cellOf.delete(id)
      this.#afterClose()
    })
    return host
  }

  /** Drains a host. @throws {Violation} where something is left of it */
  async closeHost(host: ShellHost, grace: number): Promise<void> {
    this.#ended.add(host)
    await host.drain({ grace })
    const left = () => {
      const { open, leased, cells, workers, retired, running, waiting, queued } = host.stats()
      return { open, leased, cells, workers, retired, running, waiting, queued }
    }
    // A command that nobody waits for keeps its worker until it has ended.
    await until(
      () => Object.values(left()).every((count) => count === 0),
      60,
      () => {
        return `of a drained host there is left ${JSON.stringify(left())}`
      },
    )
    this.#hosts.delete(host)
  }

  async close(): Promise<void> {
    for (const house of this.houses.values()) await house.close()
    await this.origins.close()
  }
}
