import { performance } from '../async/clock.ts'
import { interruptible } from '../async/interruptible.ts'
import type { Isolation, NetworkMode } from '../contract/isolation.ts'
import { strandsEngine } from '../engines/strands/strands-engine.ts'
import { hostClosed } from '../places/host-closed.ts'
import type { OpenRequest } from '../places/open-request.ts'
import type { Place } from '../places/place.ts'
import type { PlaceFigures } from '../places/places.ts'
import { WarmPool } from '../places/warm-pool.ts'
import { type HostBound, SandboxClosedError, type Saturation } from '../sandbox/errors.ts'
import { openingError } from '../sandbox/opening-error.ts'
import { Admission } from './admission.ts'
import { admittedPlace } from './admitted-place.ts'
import { CommandLimiter } from './command-limiter.ts'
import { DroppedPlaces } from './dropped-places.ts'
import { Figures, type Totals } from './figures.ts'
import { IdleSessions } from './hibernation/idle-sessions.ts'
import { RoomMaker } from './hibernation/room-maker.ts'
import { SessionStore } from './hibernation/session-store.ts'
import { HostEvents } from './host-events.ts'
import type { CloseReason, HostedSession } from './hosted-session.ts'
import { Levels } from './levels.ts'
import { LoadWatch, type MachineLoad } from './machine-load.ts'
import { cellNetwork, requireEnforceable } from './network-policy.ts'
import type { ResolvedHostOptions } from './options.ts'
import { Quotas } from './quotas.ts'
import type { SessionRegistry } from './sandbox-host.ts'
import { openedTooLate, queueFull, tooManyRetired } from './saturation.ts'
import { type RegistrationHost, SessionRegistration } from './session-registration.ts'

/** How many sandboxes and worker threads a host has, what they do, and what they did. Durations in milliseconds. */
export interface HostStats extends PlaceFigures, Totals, MachineLoad {
  /** Sandboxes that were used and not closed. */
  readonly open: number
  /** Sandboxes of those whose session is stored, and has no place. */
  readonly hibernated: number
  /** Sandboxes that wait for a place. */
  readonly queued: number
  /** Sandboxes that may run commands now. */
  readonly running: number
  /** Sandboxes whose commands wait for others. */
  readonly waiting: number
}

/** Places that are kept free, at most, where idle sessions are stored. */
const mostSpare = 8

/** A host without the sandboxes: which session gets which place, when, and for how long. */
export class SessionHost implements SessionRegistry, RegistrationHost {
  readonly options: ResolvedHostOptions
  readonly events = new HostEvents()
  readonly figures = new Figures()
  readonly commandLimiter: CommandLimiter
  /** Where the sessions of named sandboxes are stored. */
  readonly store: SessionStore | undefined
  readonly #idle = new IdleSessions()
  readonly #rooms: RoomMaker | undefined
  readonly #sessions = new Set<HostedSession>()
  readonly #load = new LoadWatch()
  readonly #warmPool: WarmPool
  readonly #admission: Admission
  readonly #quotas: Quotas
  readonly #levels: Levels
  readonly #dropped: DroppedPlaces
  readonly #closed = new AbortController()
  #onUnregister: (() => void) | undefined
  #draining: Promise<void> | undefined
  #drainsIntoStore = false
  #closing: Promise<void> | undefined

  constructor(options: ResolvedHostOptions) {
    this.options = options
    this.commandLimiter = new CommandLimiter(options.maxRunning)
    this.store = options.hibernate && new SessionStore(options.hibernate.store, options.openTimeout)
    const { onSaturated } = options
    if (onSaturated === 'hibernate' || onSaturated === 'evict-idle') {
      this.#rooms = new RoomMaker(this.#idle, { onSaturated, wanted: () => this.#wanted })
    }
    const limits = onSaturated === 'reject' ? { ...options, maxQueued: 0 } : options
    this.#admission = new Admission(limits, (quota) =>
      queueFull(this.#saturation([...this.#admission.reached(quota), 'maxQueued']), options),
    )
    this.#quotas = new Quotas(options)
    this.#levels = new Levels(options, {
      events: this.events,
      warmEngine: strandsEngine,
      onFreePlaces: () => this.#warmPool.keep(),
      onWait: () => this.#seekRoom(),
    })
    this.#dropped = new DroppedPlaces({
      isAwaited: () => this.#awaited > 0,
      mayBeDropped: () => this.sessions.some(({ id, pending }) => id === undefined && pending === 0),
    })
    const free = () => (this.draining || this.#closing !== undefined ? 0 : this.#free(options.isolation))
    this.#warmPool = new WarmPool(() => this.#levels.warm, {
      wanted: () => Math.min(options.warm, free()),
      most: free,
    })
    this.#warmPool.keep()
  }

  get isolation(): Isolation {
    return this.options.isolation
  }

  /** What its cells reach of the network. */
  get network(): NetworkMode {
    return cellNetwork(this.options.network)
  }

  /** Figures of this moment. */
  stats(): HostStats {
    const { figures } = this.#levels
    return {
      ...figures,
      open: this.#sessions.size,
      hibernated: this.sessions.filter(({ isHibernated }) => isHibernated).length,
      queued: this.#admission.queued + figures.queued,
      running: this.commandLimiter.running,
      waiting: this.commandLimiter.waiting,
      ...this.figures.totals(),
      ...this.#load.look(),
    }
  }

  /** True while no sandbox may stay beyond its pending calls. */
  get draining(): boolean {
    return this.#draining !== undefined
  }

  /** The sessions of sandboxes that were used and not closed. */
  get sessions(): readonly HostedSession[] {
    return [...this.#sessions]
  }

  register(session: HostedSession): SessionRegistration {
    this.#sessions.add(session)
    return new SessionRegistration(session, this)
  }

  rests(session: HostedSession): void {
    if (this.draining) void this.#drainOne(session)
    else {
      this.#idle.rests(session)
      this.#rooms?.make()
    }
  }

  used(session: HostedSession): void {
    this.#idle.leaves(session)
  }

  unregister(session: HostedSession, reason: CloseReason): void {
    this.#sessions.delete(session)
    this.#idle.leaves(session)
    if (reason === 'dropped') this.#dropped.found()
    this.#onUnregister?.()
  }

  async open(session: HostedSession, request: OpenRequest): Promise<Place> {
    this.#requireOpenable()
    requireEnforceable(this.options.network, session.isolation, request.record)
    this.#load.start()
    const opening = interruptible(this.#open(session, request), {
      seconds: this.options.openTimeout,
      signal: request.signal,
      onTimeout: () => openedTooLate(this.#saturation(this.#waitsFor(session, request)), this.options),
      onAbort: () => request.signal.reason,
    })
    try {
      return await interruptible(opening, { signal: this.#closed.signal, onAbort: hostClosed })
    } catch (error) {
      request.cancel(error)
      throw error
    }
  }

  /**
   * Opens nothing more, lets pending calls end for at most `grace` seconds, closes every sandbox, and then itself.
   * Idempotent: the first call's grace counts.
   */
  drain(grace: number, { hibernate = false }: { readonly hibernate?: boolean } = {}): Promise<void> {
    if (this.#draining === undefined) this.#drainsIntoStore = hibernate
    this.#draining ??= Promise.resolve().then(() => this.#drain(grace))
    return this.#draining
  }

  /** Ends every worker that runs no native call, and the others when their calls have settled. Idempotent. */
  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #open(session: HostedSession, request: OpenRequest): Promise<Place> {
    const { isolation } = session
    const places = this.#levels.placesOf(isolation, request.engine)
    const releaseAdmission = await this.#admit(session, request)
    request.onCancel(releaseAdmission)
    try {
      const start = performance.now()
      const place = await places.open(request)
      this.figures.built(performance.now() - start)
      places.trim(this.#free(isolation))
      this.#warmPool.keep()
      return admittedPlace(place, () => {
        releaseAdmission()
        this.#warmPool.keep()
      })
    } catch (error) {
      releaseAdmission()
      throw error === request.signal.reason ? error : openingError(error)
    }
  }

  async #admit(session: HostedSession, request: OpenRequest): Promise<() => void> {
    const { id, isolation, generation } = session
    const start = this.#free(isolation) > 0 ? undefined : performance.now()
    const quota = this.#quotas.of(isolation)
    if (this.#admission.refuses(quota)) {
      await this.#dropped.seekOnce()
      request.throwIfCancelled()
      this.#requireOpenable()
    }
    const queuedBefore = this.#admission.queued
    const admitted = this.#admission.enter(request, quota)
    if (start !== undefined && this.#admission.queued > queuedBefore) {
      request.queued = true
      this.#seekRoom()
      this.events.emit('queued', () => ({ id, isolation, generation, queued: this.#admission.queued }))
    }
    const release = await admitted.finally(() => {
      request.queued = false
    })
    if (start !== undefined) this.figures.waited(performance.now() - start)
    this.figures.peak = Math.max(this.figures.peak, this.#admission.admitted)
    this.#rooms?.make()
    return release
  }

  /** Openings that wait for a place. */
  get #awaited(): number {
    return this.#admission.queued + this.#levels.figures.queued
  }

  /** Places that idle sessions should give up: for openings that wait, and where they are stored some ahead of the next ones. */
  get #wanted(): number {
    const { onSaturated, maxSandboxes, isolation } = this.options
    const spare = onSaturated === 'hibernate' ? Math.min(mostSpare, Math.floor(maxSandboxes / 16)) : 0
    return this.#awaited + Math.max(0, spare - this.#free(isolation))
  }

  #seekRoom(): void {
    this.#dropped.seek()
    this.#rooms?.make()
  }

  /** How many sandboxes of a level may still open without waiting. */
  #free(isolation: Isolation): number {
    return this.#admission.free(this.#quotas.of(isolation))
  }

  #requireOpenable(): void {
    if (this.#closing !== undefined) throw hostClosed()
    if (this.draining) throw hostDrains()
    const saturation = this.#saturation(['maxRetired'])
    if (saturation.retired >= saturation.maxRetired) throw tooManyRetired(saturation)
  }

  /** The bounds that an opening waits for; none while its place is made. */
  #waitsFor({ isolation }: HostedSession, request: OpenRequest): readonly HostBound[] {
    if (request.queued) return this.#admission.reached(this.#quotas.of(isolation))
    const bound = this.#levels.placesOf(isolation, request.engine).boundOf(request)
    return bound === undefined ? [] : [bound]
  }

  #saturation(reached: readonly HostBound[]): Saturation {
    const { maxSandboxes, maxCells, maxQueued, maxRetired } = this.options
    const { cells, queued, retired } = this.#levels.figures
    return {
      reached,
      open: this.#admission.admitted - queued,
      maxSandboxes,
      cells,
      maxCells,
      queued: this.#admission.queued + queued,
      maxQueued,
      retired,
      maxRetired,
    }
  }

  async #drain(grace: number): Promise<void> {
    this.#admission.close(hostDrains)
    const { sessions } = this
    const idle = sessions.filter(({ pending }) => pending === 0).map((session) => this.#drainOne(session))
    await interruptible(this.#unused(), {
      seconds: grace,
      signal: this.#closed.signal,
      onTimeout: graceOver,
      onAbort: graceOver,
    }).catch(() => undefined) // The sandboxes that are still open after the grace are closed below.
    await Promise.all([...idle, ...this.sessions.map((session) => session.close('drained'))])
    await this.close()
  }

  async #drainOne(session: HostedSession): Promise<void> {
    try {
      if (this.#drainsIntoStore) await session.hibernate('drained')
    } catch {
      // The host has told that the store failed, and the sandbox is closed all the same.
    }
    if (session.pending === 0) await session.close('drained')
  }

  /** Resolves when no sandbox is open: each closes itself with its last call. */
  async #unused(): Promise<void> {
    while (this.#sessions.size > 0 && this.#closing === undefined) {
      await new Promise<void>((resolve) => {
        this.#onUnregister = resolve
      })
    }
  }

  async #close(): Promise<void> {
    this.#closed.abort()
    this.#load.stop()
    this.#dropped.stop()
    this.#admission.close(hostClosed)
    await this.#levels.close()
    await this.store?.settled()
  }
}

function hostDrains(): SandboxClosedError {
  return new SandboxClosedError('The host of this sandbox drains: it opens nothing more.')
}

function graceOver(): Error {
  return new Error('The grace is over.')
}
