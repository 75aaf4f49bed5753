import type { ErrorCode, LossCode } from '../contract/errors.ts'
import type { OpenRequest } from '../places/open-request.ts'
import type { Place } from '../places/place.ts'
import type { Policy } from '../policy/types.ts'
import { SandboxError, UnsupportedError } from '../sandbox/errors.ts'
import type { CommandTurns } from './command-limiter.ts'
import type { CloseReason, HibernateReason } from './end-reasons.ts'
import { EventReporter } from './event-reporter.ts'
import type { Figures } from './figures.ts'
import type { SessionStore } from './hibernation/session-store.ts'
import type { HostedSession } from './hosted-session.ts'
import { Lifetime } from './lifetime.ts'
import type { ResolvedHostOptions } from './options.ts'
import type { SandboxEvents } from './sandbox-events.ts'
import type { Tenant } from './tenants/tenants.ts'

/** What a registration needs of its host. */
export interface RegistrationHost {
  readonly options: ResolvedHostOptions
  readonly events: SandboxEvents
  readonly figures: Figures
  /** Where the sessions of named sandboxes are stored. */
  readonly store?: SessionStore | undefined
  /** @param onQueued - told how many wait, where the session has to wait. */
  open(session: HostedSession, request: OpenRequest, onQueued: (queued: number) => void): Promise<Place>
  /** The last pending call of a session has settled. */
  rests(session: HostedSession): void
  /** A session is used. */
  used(session: HostedSession): void
  /** @param wasOpened - whether it has had a session. */
  unregister(session: HostedSession, reason: CloseReason, wasOpened: boolean): void
}

/** One session at its host, from its first call until it is closed: its places, its events, its figures, its lifetime. */
export class SessionRegistration {
  /** Where the session is stored; undefined where it is not. */
  readonly store: SessionStore | undefined
  readonly #session: HostedSession
  readonly #host: RegistrationHost
  readonly #tenant: Tenant
  readonly #lifetime: Lifetime
  /** Tells of what happens to the sandbox. */
  readonly events: EventReporter
  #opened = false
  #closed = false
  /** Why it was closed, while calls are pending that this has ended: they are told before. */
  #untoldEnd: CloseReason | undefined

  constructor(session: HostedSession, host: RegistrationHost, tenant: Tenant) {
    this.#session = session
    this.#host = host
    this.#tenant = tenant
    this.events = new EventReporter(session, host.events)
    this.store = session.id === undefined ? undefined : host.store
    this.#lifetime = new Lifetime(host.options, {
      onRested: () => void this.#hibernate('idle'),
      onIdle: () => void this.#leave('idle'),
      onOver: () => void this.#leave('lifetime'),
    })
  }

  /** What decides on the calls of every sandbox of the host. */
  get policies(): readonly Policy[] {
    return this.#host.options.policies
  }

  /** What commands of the tenant's sandboxes wait for. */
  get commandLimiter(): CommandTurns {
    return this.#tenant.turns
  }

  /**
   * Opens a shell in a place of a worker, waiting for a free one if need be. The session has it once it has said so:
   * {@link SessionRegistration.opened}.
   *
   * @throws {HostSaturatedError} when there is no place, or none in time
   * @throws {SandboxConfigError} when the engine refuses the record
   * @throws {EngineUnavailableError} when there is no engine for this machine
   * @throws {WorkerLostError} when the worker ended as it opened
   * @throws {SandboxClosedError} when the host or the sandbox was closed, or the request was withdrawn from the queue
   */
  async open(request: OpenRequest): Promise<Place> {
    try {
      return await this.#host.open(this.#session, request, (queued) =>
        request.inCaller(() => this.events.report('queued', (about) => ({ ...about, queued }))),
      )
    } catch (error) {
      this.rejected(request, error)
      throw error
    }
  }

  /** True where somebody listens to what the sandbox asks of the network. */
  get tellsEgress(): boolean {
    return this.events.isHeard('egress') || this.events.isHeard('egressEnd')
  }

  /** The session can be used. */
  opened(durationMs: number): void {
    const event = this.#opened ? 'reopened' : 'opened'
    this.#opened = true
    this.#host.figures[event] += 1
    this.events.report(event, (about) => ({ ...about, durationMs }))
  }

  /** The session has come out of the store, and can be used. */
  woken(durationMs: number): void {
    if (!this.#opened) this.opened(durationMs)
    this.#host.figures.woke(durationMs)
    this.events.report('woken', (about) => ({ ...about, durationMs }))
  }

  /** The session could not be opened. */
  rejected(request: OpenRequest, error: unknown): void {
    if (request.withdrawn) return
    request.inCaller(() =>
      this.events.report('rejected', (about) => ({
        ...about,
        reason: codeOf(error),
        durationMs: request.age,
      })),
    )
  }

  /** A call was made. */
  began(): void {
    this.#lifetime.used()
    this.#host.used(this.#session)
  }

  /** A call has settled; `code` where it rejected. */
  ended(milliseconds: number, code: ErrorCode | undefined): void {
    const { figures } = this.#host
    figures.called(milliseconds)
    if (code !== undefined) figures.failed(code)
    if (this.#session.pending > 0) return
    if (this.#closed) {
      if (this.#untoldEnd !== undefined) this.#tellClosed(this.#untoldEnd)
      return
    }
    this.#lifetime.rests()
    this.events.report('idle', (about) => about)
    this.#host.rests(this.#session)
  }

  /** A checkpoint of the session is in the store. */
  checkpointed(): void {
    this.#host.figures.checkpoints += 1
    this.events.report('checkpoint', (about) => about)
  }

  /** The session is in the store, and has given its place up. */
  hibernated(reason: HibernateReason): void {
    this.#host.figures.hibernations += 1
    this.events.report('hibernated', (about) => ({ ...about, reason }))
  }

  /** The store did not do what it was to do. */
  storeFailed(operation: 'put' | 'delete', error: unknown): void {
    const reason = codeOf(error)
    this.events.report('storeFailed', (about) => ({ ...about, operation, reason }))
  }

  /** The session was lost. */
  lost(reason: LossCode): void {
    this.#host.figures.lost += 1
    this.events.report('lost', (about) => ({ ...about, reason }))
  }

  /** The sandbox was closed. */
  closed(reason: CloseReason): void {
    if (this.#closed) return
    this.#closed = true
    this.#lifetime.stop()
    this.#host.unregister(this.#session, reason, this.#opened)
    if (!this.#opened) return
    this.#host.figures.closed(reason)
    if (this.#session.pending === 0) this.#tellClosed(reason)
    else this.#untoldEnd = reason
  }

  #tellClosed(reason: CloseReason): void {
    this.#untoldEnd = undefined
    this.events.report('closed', (about) => ({ ...about, reason }))
  }

  /** Closes a sandbox whose time is over. One that is in use, or that the store did not take, stays until it has come to rest again. */
  async #leave(reason: 'idle' | 'lifetime'): Promise<void> {
    const isSafe = await this.#hibernate(reason)
    if (isSafe && this.#session.pending === 0) await this.#session.close(reason)
  }

  /** Stores the session where that can be done. False: the store has failed. */
  async #hibernate(reason: HibernateReason): Promise<boolean> {
    if (this.store === undefined) return true
    try {
      await this.#session.hibernate(reason)
      return true
    } catch (error) {
      return error instanceof UnsupportedError
    }
  }
}

function codeOf(error: unknown): ErrorCode | 'UNKNOWN' {
  return error instanceof SandboxError ? error.code : 'UNKNOWN'
}
