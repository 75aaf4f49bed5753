import type { Isolation, NetworkMode } from '../contract/isolation.ts'
import { strandsEngine } from '../engines/strands/strands-engine.ts'
import type { CellHardening } from '../places/cells/jail/found-hardening.ts'
import { hostClosed } from '../places/host-closed.ts'
import type { OpenRequest } from '../places/open-request.ts'
import type { Place } from '../places/place.ts'
import { WarmPool } from '../places/warm-pool.ts'
import { attach } from './audit-sink.ts'
import { CellSessions } from './cell-sessions.ts'
import { CommandLimiter } from './command-limiter.ts'
import { Drain, type DrainInto, hostDrains } from './drain.ts'
import { DroppedPlaces } from './dropped-places.ts'
import { EgressReports } from './egress-reports.ts'
import type { CloseReason } from './end-reasons.ts'
import { Figures } from './figures.ts'
import { IdleSessions } from './hibernation/idle-sessions.ts'
import { RoomMaker, type TenantsWant } from './hibernation/room-maker.ts'
import { SessionStore } from './hibernation/session-store.ts'
import type { HostStats } from './host-stats.ts'
import type { HostedSession } from './hosted-session.ts'
import { Levels } from './levels.ts'
import { LoadWatch } from './machine-load.ts'
import { cellNetwork, requireEnforceable } from './network-policy.ts'
import { ofNoSandbox } from './of-no-sandbox.ts'
import { Openings } from './openings.ts'
import type { ResolvedHostOptions } from './options.ts'
import { SandboxEvents } from './sandbox-events.ts'
import type { SessionRegistry } from './sandbox-host.ts'
import { type RegistrationHost, SessionRegistration } from './session-registration.ts'
import { Tenants } from './tenants/tenants.ts'

type OnClosed = (session: HostedSession, reason: CloseReason) => void

/** Places that are kept free, at most, where idle sessions are stored. */
const mostSpare = 8

/** A host without the sandboxes: which session gets which place, when, and for how long. */
export class SessionHost implements SessionRegistry, RegistrationHost {
  readonly options: ResolvedHostOptions
  readonly events = new SandboxEvents()
  readonly figures = new Figures()
  /** Where the sessions of named sandboxes are stored. */
  readonly store: SessionStore | undefined
  readonly #onClosed: OnClosed
  readonly #idle = new IdleSessions()
  readonly #rooms: RoomMaker | undefined
  readonly #sessions = new Map<HostedSession, SessionRegistration>()
  readonly #load = new LoadWatch()
  readonly #warmPool: WarmPool
  readonly #openings: Openings
  readonly #limiter: CommandLimiter
  readonly #tenants: Tenants
  readonly #levels: Levels
  readonly #dropped: DroppedPlaces
  readonly #drain: Drain
  readonly #closed = new AbortController()
  #closing: Promise<void> | undefined

  /** @param onClosed - told of each session that was opened and is closed. */
  constructor(options: ResolvedHostOptions, onClosed: OnClosed = () => undefined) {
    this.options = options
    this.#onClosed = onClosed
    if (options.audit !== undefined) attach(options.audit, this.events)
    this.#limiter = new CommandLimiter(options.maxRunning)
    this.#tenants = new Tenants(options.quotas, this.#limiter)
    this.store = options.hibernate && new SessionStore(options.hibernate.store, options.openTimeout)
    const { onSaturated } = options
    if (onSaturated === 'hibernate' || onSaturated === 'evict-idle') {
      const tenants = options.quotas && this.#tenantsWant
      this.#rooms = new RoomMaker(this.#idle, { onSaturated, wanted: () => this.#wanted, tenants })
    }
    const cells = new CellSessions()
    const listeners = {
      egress: new EgressReports(this.#sessions, this.events, cells),
      onFallback: ({ reason = '', remedy = '' }: CellHardening) =>
        this.events.emit('hardening', { ...ofNoSandbox('hardening'), labels: {}, reason, remedy }),
      onFreePlaces: () => this.#warmPool.keep(),
      onWait: () => this.#seekRoom(),
    }
    this.#levels = new Levels(options, listeners, strandsEngine)
    this.#dropped = new DroppedPlaces({
      isAwaited: () => this.#openings.awaited > 0,
      mayBeDropped: () => this.sessions.some(({ id, pending }) => id === undefined && pending === 0),
    })
    this.#openings = new Openings(options, {
      levels: this.#levels,
      tenants: this.#tenants,
      figures: this.figures,
      dropped: this.#dropped,
      cells,
      closed: this.#closed.signal,
      requireOpen: () => this.#requireOpen(),
      onWait: () => this.#seekRoom(),
      onAdmitted: () => this.#rooms?.make(),
      onPlaces: () => this.#warmPool.keep(),
    })
    this.#drain = new Drain({
      sessions: () => this.sessions,
      begin: () => this.#openings.close(hostDrains),
      close: () => this.close(),
      closed: this.#closed.signal,
    })
    const free = () =>
      this.draining || this.#closing !== undefined ? 0 : this.#openings.free(options.isolation)
    this.#warmPool = new WarmPool(() => this.#levels.warm(), {
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
      queued: this.#openings.queued,
      running: this.#limiter.running,
      waiting: this.#limiter.waiting,
      tenants: this.#tenants.figures,
      hardening: this.#levels.hardening,
      ...this.figures.totals(),
      ...this.#load.look(),
    }
  }

  /** True while no sandbox may stay beyond its pending calls. */
  get draining(): boolean {
    return this.#drain.hasBegun
  }

  /** The sessions of sandboxes that were used and not closed. */
  get sessions(): readonly HostedSession[] {
    return [...this.#sessions.keys()]
  }

  register(session: HostedSession): SessionRegistration {
    const tenant = this.#tenants.of(session.labels)
    const registration = new SessionRegistration(session, this, tenant)
    this.#sessions.set(session, registration)
    this.#tenants.enter(tenant, session)
    return registration
  }

  rests(session: HostedSession): void {
    if (this.draining) void this.#drain.leave(session)
    else {
      this.#idle.rests(session)
      this.#rooms?.make()
    }
  }

  used(session: HostedSession): void {
    this.#idle.leaves(session)
  }

  unregister(session: HostedSession, reason: CloseReason, wasOpened: boolean): void {
    this.#sessions.delete(session)
    this.#tenants.leave(this.#tenants.of(session.labels), session)
    this.#idle.leaves(session)
    if (reason === 'dropped') this.#dropped.found()
    if (wasOpened) this.#onClosed(session, reason)
    this.#drain.left()
  }

  async open(
    session: HostedSession,
    request: OpenRequest,
    onQueued: (queued: number) => void,
  ): Promise<Place> {
    this.#openings.requireOpenable()
    requireEnforceable(this.options.network, session.isolation, request.record)
    this.#load.start()
    return await this.#openings.open(session, request, onQueued)
  }

  /**
   * Opens nothing more, lets pending calls end for at most `grace` seconds, closes every sandbox, and then itself.
   * Idempotent: the first call's grace counts.
   */
  drain(grace: number, options?: DrainInto): Promise<void> {
    return this.#drain.begin(grace, options)
  }

  /** Ends every worker that runs no native call, and the others when their calls have settled. Idempotent. */
  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  /** Places that idle sessions should give up: for openings that wait, and where they are stored some ahead of the next ones. */
  get #wanted(): number {
    const { onSaturated, maxSandboxes, isolation } = this.options
    const spare = onSaturated === 'hibernate' ? Math.min(mostSpare, Math.floor(maxSandboxes / 16)) : 0
    return this.#openings.wanted + Math.max(0, spare - this.#openings.free(isolation))
  }

  /** What tenants at their quota want of their own idle sessions. */
  get #tenantsWant(): TenantsWant {
    const tenantOf = ({ labels }: HostedSession) => this.#tenants.of(labels)
    return {
      any: () => this.#openings.isTenantAwaited,
      of: tenantOf,
      wanted: (session) => this.#openings.wantedOf(tenantOf(session)),
      size: (session) => tenantOf(session).places.taken,
    }
  }

  #seekRoom(): void {
    this.#dropped.seek()
    this.#rooms?.make()
  }

  #requireOpen(): void {
    if (this.#closing !== undefined) throw hostClosed()
    if (this.draining) throw hostDrains()
  }

  async #close(): Promise<void> {
    this.#closed.abort()
    this.#load.stop()
    this.#dropped.stop()
    this.#openings.close(hostClosed)
    for (const session of this.sessions) session.hostCloses(hostClosed())
    await this.#levels.close()
    await this.store?.settled()
    await this.options.audit?.flush()
  }
}
