import { setMaxListeners } from 'node:events'
import type { EngineName } from '../src/contract/lease.ts'
import { type Isolation, ShellHost, type ShellHostOptions } from '../src/index.ts'
import { CallLedger } from './call-ledger.ts'
import { Level } from './level.ts'
import { LossLedger } from './loss-ledger.ts'
import { type Origins, startOrigins } from './origin.ts'
import { SharedLock } from './shared-lock.ts'
import type { SoakHost, SoakShell } from './shells/shell.ts'
import { until } from './until.ts'
import { Violation } from './violation.ts'

/** The state that all actors of a run share. */
export class SoakContext {
  readonly seed: number
  /** The shell of every sandbox. */
  readonly shell: SoakShell
  /** Whether cells that get faults are in jails: nobody knows which sandbox is in which. */
  readonly jails: boolean
  /** A temporary directory of the host for the run's files. */
  readonly directory: string
  readonly calls = new CallLedger()
  readonly losses = new LossLedger()
  readonly origins: Origins
  /** Held exclusively while workers of this process, or their host, are ended. */
  readonly workers = new SharedLock()
  /** Held while the figures of this process are read, which opens files. */
  readonly gauges = new SharedLock()
  readonly levels = new Map<Isolation, Level>()
  /** The process id of the cell of each sandbox, by sandbox id, where it is known. */
  readonly cellOf = new Map<string, number>()
  /** The process id of the cell that gets no faults. */
  lastingCell: number | undefined
  /** Number of closed sandboxes, including dropped ones that were garbage-collected. */
  closed = 0
  /** Number of sandboxes that actors hold. */
  held = 0
  readonly #hosts = new Set<SoakHost>()
  readonly #ended = new WeakSet<SoakHost>()
  readonly #jailed = new WeakSet<SoakHost>()
  readonly #stopping = new AbortController()
  readonly #afterClose: () => void
  #violation: Violation | undefined

  private constructor(
    { seed, shell, jails }: Pick<SoakContext, 'seed' | 'shell' | 'jails'>,
    directory: string,
    origins: Origins,
    afterClose: () => void,
  ) {
    this.seed = seed
    this.shell = shell
    this.jails = jails
    this.directory = directory
    this.origins = origins
    this.#afterClose = afterClose
    setMaxListeners(0, this.stopping) // Every actor listens to it while it pauses.
  }

  /** `afterClose` is called for every closed sandbox; tests leak something there. */
  static async make(
    of: Pick<SoakContext, 'seed' | 'shell' | 'jails'>,
    directory: string,
    isolations: readonly Isolation[],
    afterClose: () => void = () => undefined,
  ): Promise<SoakContext> {
    const origins = await startOrigins((violation) => context.fail(violation))
    const context: SoakContext = new SoakContext(of, directory, origins, afterClose)
    for (const isolation of isolations) context.levels.set(isolation, new Level(context, isolation))
    return context
  }

  /** Aborted when the actors have to end. */
  get stopping(): AbortSignal {
    return this.#stopping.signal
  }

  /** The first violation. */
  get violation(): Violation | undefined {
    return this.#violation
  }

  get hosts(): readonly SoakHost[] {
    return [...this.#hosts]
  }

  stop(): void {
    this.#stopping.abort()
  }

  /** Ends the run with a violation. The first one is kept. */
  fail(error: unknown): void {
    this.#violation ??=
      error instanceof Violation ? error : new Violation(`unexpected ${String(error)}`, { cause: error })
    this.stop()
  }

  /** Runs a check, and ends the run if it throws. */
  guard(check: () => void): void {
    try {
      check()
    } catch (error) {
      this.fail(error)
    }
  }

  /** Whether a host takes no more calls. */
  hasEnded(host: SoakHost): boolean {
    return this.#ended.has(host)
  }

  /** Whether the cells of a host are in jails. */
  isJailed(host: SoakHost): boolean {
    return this.#jailed.has(host)
  }

  /** Opens a host whose losses are recorded in the ledger. */
  openHost(options: ShellHostOptions, shell: EngineName = this.shell.name): SoakHost {
    const host: SoakHost = new ShellHost<EngineName>({ ...options, defaults: { shell } })
    this.#hosts.add(host)
    if (options.hardening === 'require') this.#jailed.add(host)
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

  /** Drains a host. @throws {Violation} where it still has something after that */
  async closeHost(host: SoakHost, grace: number): Promise<void> {
    this.#ended.add(host)
    await host.drain({ grace })
    const left = () => {
      const { open, leased, cells, workers, retired, running, waiting, queued } = host.stats()
      return { open, leased, cells, workers, retired, running, waiting, queued }
    }
    // An abandoned command keeps its worker until it ends.
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
    for (const level of this.levels.values()) await level.close()
    await this.origins.close()
  }
}
