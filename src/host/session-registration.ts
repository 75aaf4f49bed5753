import type { ErrorCode, LossCode } from '../contract/errors.ts'
import type { OpenRequest } from '../places/open-request.ts'
import type { Place } from '../places/place.ts'
import { SandboxError } from '../sandbox/errors.ts'
import type { CommandLimiter } from './command-limiter.ts'
import type { Figures } from './figures.ts'
import type { HostEvents, SandboxEventData } from './host-events.ts'
import type { CloseReason, HostedSession } from './hosted-session.ts'
import { Lifetime } from './lifetime.ts'
import type { ResolvedHostOptions } from './options.ts'

/** What a registration needs of its host. */
export interface RegistrationHost {
  readonly options: ResolvedHostOptions
  readonly events: HostEvents
  readonly figures: Figures
  readonly commandLimiter: CommandLimiter
  /** True while no sandbox may stay beyond its pending calls. */
  readonly draining: boolean
  open(session: HostedSession, request: OpenRequest): Promise<Place>
  unregister(session: HostedSession, reason: CloseReason): void
}

/** One session at its host, from its first call until it is closed: its places, its events, its figures, its lifetime. */
export class SessionRegistration {
  readonly #session: HostedSession
  readonly #host: RegistrationHost
  readonly #lifetime: Lifetime
  #opened = false
  #closed = false

  constructor(session: HostedSession, host: RegistrationHost) {
    this.#session = session
    this.#host = host
    this.#lifetime = new Lifetime(session, host.options)
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

  /** The session could not be opened. */
  rejected({ withdrawn }: OpenRequest, error: unknown): void {
    if (withdrawn) return
    const reason = error instanceof SandboxError ? error.code : 'UNKNOWN'
    this.#host.events.emit('rejected', () => ({ ...this.#describe(), reason }))
  }

  /** A call was made. */
  began(): void {
    this.#lifetime.used()
  }

  /** A call has settled; `code` where it rejected. */
  ended(milliseconds: number, code: ErrorCode | undefined): void {
    const { events, figures, draining } = this.#host
    figures.called(milliseconds)
    if (code !== undefined) figures.failed(code)
    if (this.#session.pending > 0 || this.#closed) return
    this.#lifetime.rests()
    events.emit('idle', () => this.#describe())
    if (draining) void this.#session.close('drained')
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

  /** What every event says of it. */
  #describe(): SandboxEventData {
    const { id, isolation, generation } = this.#session
    return { id, isolation, generation }
  }
}
