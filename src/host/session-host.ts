import { type Interruption, interruptible } from '../async/interruptible.ts'
import type { ShellRecord } from '../contract/shell-record.ts'
import { installedEngine } from '../engines/strands/installed-engine.ts'
import { CellNetwork, type NetworkMode } from '../places/cells/cell-network.ts'
import { CellPlaces } from '../places/cells/cell-places.ts'
import type { Opening } from '../places/opening.ts'
import type { LeasedPlace, Place } from '../places/place.ts'
import { type Level, type LevelFigures, sumFigures } from '../places/places.ts'
import { ThreadPlaces } from '../places/threads/thread-places.ts'
import { Ticket } from '../places/ticket.ts'
import { WarmPool } from '../places/warm-pool.ts'
import {
  HostSaturatedError,
  SandboxClosedError,
  SandboxConfigError,
  type Saturation,
} from '../sandbox/errors.ts'
import { Admission, type Quota } from './admission.ts'
import { CommandLimiter } from './command-limiter.ts'
import { Figures, type Totals } from './figures.ts'
import { HostEvents } from './host-events.ts'
import type { HostedSession, Landlord, Tenancy } from './hosted-session.ts'
import { LoadWatch, type MachineLoad } from './machine-load.ts'
import { type Isolation, type ResolvedHostOptions, sandboxesPerWorkerDefaults } from './options.ts'
import { type Premises, SessionRegistration } from './session-registration.ts'

/** How many sandboxes and worker threads a host has, what they do, and what they did. Durations in milliseconds. */
export interface HostStats extends LevelFigures, Totals, MachineLoad {
  /** Sandboxes that were used and not closed. */
  readonly open: number
  /** Sandboxes that wait for a place. */
  readonly queued: number
  /** Sandboxes that have a turn to run commands. */
  readonly running: number
  /** Sandboxes whose commands wait for a turn. */
  readonly waiting: number
}

/** One opening, on the sandbox's side and on the worker's. */
interface UnderWay {
  readonly ticket: Ticket
  readonly opening: Opening
}

/** A host without the sandboxes: who gets which place, when, and for how long. */
export class SessionHost implements Landlord, Premises {
  readonly options: ResolvedHostOptions
  readonly events = new HostEvents()
  readonly figures = new Figures()
  readonly #tenants = new Map<HostedSession, SessionRegistration>()
  readonly #turns: CommandLimiter
  readonly #load = new LoadWatch()
  readonly #warmth: WarmPool
  readonly #admission: Admission
  readonly #levels = new Map<Isolation, Level>()
  readonly #rooms = new Map<Isolation, Quota>()
  readonly #closed = new AbortController()
  #onLeft: (() => void) | undefined
  #draining: Promise<void> | undefined
  #closing: Promise<void> | undefined

  constructor(options: ResolvedHostOptions) {
    this.options = options
    this.#admission = new Admission(options, () => this.#queueFull())
    this.#turns = new CommandLimiter(options.maxRunning)
    const free = () => (this.draining || this.#closing !== undefined ? 0 : this.#free(options.isolation))
    this.#warmth = new WarmPool(() => this.#leases(options.isolation), {
      wanted: () => Math.min(options.warm, free()),
      most: free,
    })
    this.#warmth.keep()
  }

  get isolation(): Isolation {
    return this.options.isolation
  }

  /** What its cells reach of the network. */
  get network(): NetworkMode {
    return this.options.network ?? 'allowlist'
  }

  /** Figures of this moment. */
  stats(): HostStats {
    const levels = this.#levelFigures()
    return {
      ...levels,
      open: this.#tenants.size,
      queued: this.#admission.queued + levels.queued,
      running: this.#turns.taken,
      waiting: this.#turns.waiting,
      ...this.figures.totals(),
      ...this.#load.look(),
    }
  }

  /** True while no sandbox may stay beyond its pending calls. */
  get draining(): boolean {
    return this.#draining !== undefined
  }

  /** The sandboxes that were used and not closed. */
  get tenants(): readonly HostedSession[] {
    return [...this.#tenants.keys()]
  }

  enter(tenant: HostedSession): Tenancy {
    const hosted = new SessionRegistration(tenant, this)
    this.#tenants.set(tenant, hosted)
    return hosted
  }

  left(tenant: HostedSession): void {
    this.#tenants.delete(tenant)
    this.#onLeft?.()
  }

  async place(tenant: HostedSession, record: ShellRecord, opening: Opening): Promise<Place> {
    this.#refuse()
    this.#refuseNetwork(tenant.isolation, record)
    this.#load.start()
    const ticket = new Ticket()
    try {
      return await this.#untilClosed(this.#open(tenant, record, { ticket, opening }), {
        seconds: this.options.openTimeout,
        signal: opening.signal,
        onTimeout: () => this.#tooLate(),
        onAbort: () => new SandboxClosedError('The sandbox was closed while it opened.'),
      })
    } catch (error) {
      ticket.abandon()
      throw error
    }
  }

  /**
   * Opens nothing more, lets pending calls end for at most `grace` seconds, closes every sandbox, and then itself.
   * Idempotent: the first call's grace counts.
   */
  drain(grace: number): Promise<void> {
    this.#draining ??= Promise.resolve().then(() => this.#drain(grace))
    return this.#draining
  }

  /** Ends every worker as {@link ThreadPlaces.close} does. Idempotent. */
  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #open(tenant: HostedSession, record: ShellRecord, { ticket, opening }: UnderWay): Promise<Place> {
    const leases = this.#leases(tenant.isolation)
    const leave = await this.#admit(tenant, { ticket, opening })
    ticket.onAbandon(leave)
    const left = () => {
      leave()
      this.#warmth.keep()
    }
    try {
      const start = performance.now()
      const place = await leases.open(record, ticket)
      this.figures.built(performance.now() - start)
      leases.trim(this.#free(tenant.isolation))
      this.#warmth.keep()
      return { ...leaving(place, left), turns: this.#turns }
    } catch (error) {
      leave()
      throw error
    }
  }

  async #admit(tenant: HostedSession, { ticket, opening }: UnderWay): Promise<() => void> {
    const start = this.#free(tenant.isolation) > 0 ? undefined : performance.now()
    const queuedBefore = this.#admission.queued
    const admitted = this.#admission.enter(ticket, this.#room(tenant.isolation))
    if (start !== undefined && this.#admission.queued > queuedBefore) {
      const { id, isolation, generation } = tenant
      opening.queued(() => ticket.abandon())
      this.events.emit('queued', () => ({ id, isolation, generation, queued: this.#admission.queued }))
    }
    const leave = await admitted
    opening.admitted()
    if (start !== undefined) this.figures.waited(performance.now() - start)
    this.figures.peak = Math.max(this.figures.peak, this.#admission.admitted)
    return leave
  }

  /** How many sandboxes of a level may still open without waiting. */
  #free(isolation: Isolation): number {
    return this.#admission.free(this.#room(isolation))
  }

  #room(isolation: Isolation): Quota {
    const known = this.#rooms.get(isolation)
    if (known !== undefined) return known
    const { maxCells, sandboxesPerCell } = this.options
    const most = isolation === 'process' ? maxCells * sandboxesPerCell : Number.POSITIVE_INFINITY
    const room = { most, taken: 0 }
    this.#rooms.set(isolation, room)
    return room
  }

  #leases(isolation: Isolation): Level {
    const known = this.#levels.get(isolation)
    if (known !== undefined) return known
    const level = isolation === 'process' ? this.#makeCells() : this.#makeWorkers(isolation)
    this.#levels.set(isolation, level)
    return level
  }

  #makeWorkers(isolation: 'worker' | 'shared'): Level {
    const { maxSandboxes, maxRetired, maxIdleWorkers, idleWorkerTimeout, sandboxesPerWorker } = this.options
    return new ThreadPlaces({
      capacity: isolation === 'worker' ? 1 : (sandboxesPerWorker ?? sandboxesPerWorkerDefaults.shared),
      maxThreads: 2 * maxSandboxes + maxRetired,
      warm: this.#warm(isolation),
      maxIdle: maxIdleWorkers,
      idleTimeout: idleWorkerTimeout,
      workerUrl: this.options.workerUrl,
      engine: installedEngine,
    })
  }

  #makeCells(): Level {
    const { sandboxesPerWorker, idleWorkerTimeout } = this.options
    return new CellPlaces({
      ...this.options,
      sandboxesPerWorker: sandboxesPerWorker ?? sandboxesPerWorkerDefaults.process,
      warm: this.#warm('process'),
      idleTimeout: idleWorkerTimeout,
      engine: installedEngine,
      onWarmth: () => this.#warmth.keep(),
      network: new CellNetwork(this.network, {
        onDecision: (decision) => this.events.emit('egress', () => decision),
        onEnd: (end) => this.events.emit('egressEnd', () => end),
      }),
    })
  }

  #warm(isolation: Isolation): number {
    return isolation === this.options.isolation ? this.options.warm : 0
  }

  #refuse(): void {
    if (this.#closing !== undefined) throw hostClosed()
    if (this.draining) throw hostDrains()
    const saturation = this.#saturation()
    const { retired, maxRetired } = saturation
    if (retired < maxRetired) return
    throw new HostSaturatedError(
      `${retired} given-up sessions still run their last command (maxRetired: ${maxRetired}). Wait for them to end.`,
      { saturation },
    )
  }

  #refuseNetwork(isolation: Isolation, { allowedUrls }: ShellRecord): void {
    const { network } = this.options
    if (network === undefined || network === 'public') return
    if (isolation !== 'process') {
      throw new SandboxConfigError(
        `isolation: expected 'process', got '${isolation}': the host's network is '${network}', and only cells can be held to it.`,
        { field: 'isolation' },
      )
    }
    if (network === 'none' && allowedUrls.length > 0) {
      throw new SandboxConfigError(
        `allowedUrls: expected none, got ${allowedUrls.length}: the host's network is 'none'.`,
        { field: 'allowedUrls' },
      )
    }
  }

  #saturation(): Saturation {
    const { maxSandboxes, maxQueued, maxRetired } = this.options
    const levels = this.#levelFigures()
    const queued = this.#admission.queued + levels.queued
    const open = this.#admission.admitted - levels.queued
    return { open, maxSandboxes, queued, maxQueued, retired: levels.retired, maxRetired }
  }

  #queueFull(): HostSaturatedError {
    const saturation = this.#saturation()
    const { open, maxSandboxes, queued, maxQueued } = saturation
    return new HostSaturatedError(
      `${open} sandboxes are open (maxSandboxes: ${maxSandboxes}) and ${queued} wait for a place (maxQueued: ${maxQueued}). Close sandboxes first.`,
      { saturation },
    )
  }

  #tooLate(): HostSaturatedError {
    const saturation = this.#saturation()
    const { open, maxSandboxes, queued } = saturation
    return new HostSaturatedError(
      `Opening a sandbox took longer than openTimeout (${this.options.openTimeout} s): ${open} sandboxes are open (maxSandboxes: ${maxSandboxes}), ${queued} wait.`,
      { saturation },
    )
  }

  #untilClosed<T>(opening: Promise<T>, interruption: Interruption): Promise<T> {
    return interruptible(interruptible(opening, interruption), {
      signal: this.#closed.signal,
      onAbort: () => hostClosed(),
    })
  }

  #levelFigures(): LevelFigures {
    return sumFigures([...this.#levels.values()].map((level) => level.figures))
  }

  async #drain(grace: number): Promise<void> {
    this.#admission.close(hostDrains)
    const { tenants } = this
    const idle = tenants.filter(({ pending }) => pending === 0).map((tenant) => tenant.close('drained'))
    await interruptible(this.#deserted(), {
      seconds: grace,
      signal: this.#closed.signal,
      onTimeout: graceOver,
      onAbort: graceOver,
    }).catch(() => undefined) // What is left after the grace is closed below.
    await Promise.all([...idle, ...this.tenants.map((tenant) => tenant.close('drained'))])
    await this.close()
  }

  /** Resolves when no sandbox is open: each closes itself with its last call. */
  async #deserted(): Promise<void> {
    while (this.#tenants.size > 0 && this.#closing === undefined) {
      await new Promise<void>((resolve) => {
        this.#onLeft = resolve
      })
    }
  }

  async #close(): Promise<void> {
    this.#closed.abort()
    this.#load.stop()
    this.#admission.close(hostClosed)
    await Promise.all([...this.#levels.values()].map((leases) => leases.close()))
  }
}

function leaving(place: LeasedPlace, leave: () => void): LeasedPlace {
  return {
    ...place,
    release: () => {
      try {
        place.release()
      } finally {
        leave()
      }
    },
    giveUp: (how) => {
      try {
        place.giveUp(how)
      } finally {
        leave()
      }
    },
  }
}

function hostDrains(): SandboxClosedError {
  return new SandboxClosedError('The host of this sandbox drains: it opens nothing more.')
}

function graceOver(): Error {
  return new Error('The grace is over.')
}

function hostClosed(): SandboxClosedError {
  return new SandboxClosedError('The host of this sandbox is closed.')
}
