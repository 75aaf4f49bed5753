import type { ErrorCode, LossCode } from '../contract/errors.ts'
import type { OpenRequest } from '../places/open-request.ts'
import type { Place } from '../places/place.ts'
import { SandboxError, UnsupportedError } from '../sandbox/errors.ts'
import type { CommandLimiter } from './command-limiter.ts'
import type { Figures } from './figures.ts'
import type { SessionStore } from './hibernation/session-store.ts'
import type { HostEvents, SandboxEventData } from './host-events.ts'
import type { CloseReason, HibernateReason, HostedSession } from './hosted-session.ts'
import { Lifetime } from './lifetime.ts'
import type { ResolvedHostOptions } from './options.ts'

/** What a registration needs of its host. */
export interface RegistrationHost {
  readonly options: ResolvedHostOptions
  readonly events: HostEvents
  readonly figures: Figures
  readonly commandLimiter: CommandLimiter
  /** Where the sessions of named sandboxes are stored. */
  readonly store?: SessionStore | undefined
  open(session: HostedSession, request: OpenRequest): Promise<Place>
  /** The last pending call of a session has settled. */
  rests(session: HostedSession): void
  /** A session is used. */
  used(session: HostedSession): void
  unregister(session: HostedSession, reason: CloseReason): void
}

/** One session at its host, from its first call until it is closed: its places, its events, its figures, its lifetime. */
export class SessionRegistration {
  /** Where the session is stored; undefined where it is not. */
  readonly store: SessionStore | undefined
  readonly #session: HostedSession
  readonly #host: RegistrationHost
  readonly #lifetime: Lifetime
  #opened = false
  #closed = false

  constructor(session: HostedSession, host: RegistrationHost) {
    this.#session = session
    this.#host = host
    this.store = session.id === undefined ? undefined : host.store
    this.#lifetime = new Lifetime(host.options, {
      onRested: () => void this.#hibernate('idle'),
      onIdle: () => void this.#leave('idle'),
      onOver: () => void this.#leave('lifetime'),
    })
  }

  /** What commands of the host's sandboxes wait for. */
  get commandLimiter(): CommandLimiter {
    return this.#host.commandLimiter
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
      return await this.#host.open(this.#session, request)
    } catch (error) {
      this.rejected(request, error)
      throw error
    }
  }

  /** The session can be used. */
  opened(): void {
    const event = this.#opened ? 'reopened' : 'opened'
    this.#opened = true
    this.#host.figures[event] += 1
    this.#host.events.emit(event, () => this.#describe())
  }

  /** The session has come out of the store, and can be used. */
  woken(milliseconds: number): void {
    if (!this.#opened) this.opened()
    this.#host.figures.woke(milliseconds)
    this.#host.events.emit('woken', () => this.#describe())
  }

  /** The session could not be opened. */
  rejected({ withdrawn }: OpenRequest, error: unknown): void {
    if (withdrawn) return
    this.#host.events.emit('rejected', () => ({ ...this.#describe(), reason: codeOf(error) }))
  }

  /** A call was made. */
  began(): void {
    this.#lifetime.used()
    this.#host.used(this.#session)
  }

  /** A call has settled; `code` where it rejected. */
  ended(milliseconds: number, code: ErrorCode | undefined): void {
    const { events, figures } = this.#host
    figures.called(milliseconds)
    if (code !== undefined) figures.failed(code)
    if (this.#session.pending > 0 || this.#closed) return
    this.#lifetime.rests()
    events.emit('idle', () => this.#describe())
    this.#host.rests(this.#session)
  }

  /** A checkpoint of the session is in the store. */
  checkpointed(): void {
    this.#host.figures.checkpoints += 1
    this.#host.events.emit('checkpoint', () => this.#describe())
  }

  /** The session is in the store, and has given its place up. */
  hibernated(reason: HibernateReason): void {
    this.#host.figures.hibernations += 1
    this.#host.events.emit('hibernated', () => ({ ...this.#describe(), reason }))
  }

  /** The store did not do what it was to do. */
  storeFailed(operation: 'put' | 'delete', error: unknown): void {
    const reason = codeOf(error)
    this.#host.events.emit('storeFailed', () => ({ ...this.#describe(), operation, reason }))
  }

  /** The session was lost. */
  lost(reason: LossCode): void {
    this.#host.figures.lost += 1
    this.#host.events.emit('lost', () => ({ ...this.#describe(), reason }))
  }

  /** The sandbox was closed. */
  closed(reason: CloseReason): void {
    if (this.#closed) return
    this.#closed = true
    this.#lifetime.stop()
    this.#host.unregister(this.#session, reason)
    if (!this.#opened) return
    this.#host.figures.closed(reason)
    this.#host.events.emit('closed', () => ({ ...this.#describe(), reason }))
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

  /** What every event says of it. */
  #describe(): SandboxEventData {
    const { id, isolation, generation } = this.#session
    return { id, isolation, generation }
  }
}

function codeOf(error: unknown): ErrorCode | 'UNKNOWN' {
  return error instanceof SandboxError ? error.code : 'UNKNOWN'
}
