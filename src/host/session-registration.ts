import type { ErrorCode, LossCode } from '../contract/errors.ts'
import type { ShellRecord } from '../contract/shell-record.ts'
import type { Opening } from '../places/opening.ts'
import type { Place } from '../places/place.ts'
import { SandboxError } from '../sandbox/errors.ts'
import type { Figures } from './figures.ts'
import type { HostEvents, SandboxEventData } from './host-events.ts'
import type { CloseReason, HostedSession, Tenancy } from './hosted-session.ts'
import { Lifetime } from './lifetime.ts'
import type { ResolvedHostOptions } from './options.ts'

/** What a tenancy has of its host. */
export interface Premises {
  readonly options: ResolvedHostOptions
  readonly events: HostEvents
  readonly figures: Figures
  /** True while no tenant may stay beyond its pending calls. */
  readonly draining: boolean
  place(tenant: HostedSession, record: ShellRecord, opening: Opening): Promise<Place>
  left(tenant: HostedSession): void
}

/** One tenant of a host: its events, its figures, its lifetime. */
export class SessionRegistration implements Tenancy {
  readonly tenant: HostedSession
  readonly #premises: Premises
  readonly #lifetime: Lifetime
  #opened = false
  #closed = false

  constructor(tenant: HostedSession, premises: Premises) {
    this.tenant = tenant
    this.#premises = premises
    this.#lifetime = new Lifetime(tenant, premises.options)
  }

  async place(record: ShellRecord, opening: Opening): Promise<Place> {
    const { events, figures } = this.#premises
    try {
      const place = await this.#premises.place(this.tenant, record, opening)
      const event = this.#opened ? 'reopened' : 'opened'
      this.#opened = true
      figures[event] += 1
      events.emit(event, () => this.describe())
      return place
    } catch (error) {
      const reason = error instanceof SandboxError ? error.code : 'UNKNOWN'
      if (!opening.givenUp) events.emit('rejected', () => ({ ...this.describe(), reason }))
      throw error
    }
  }

  began(): void {
    this.#lifetime.used()
  }

  ended(milliseconds: number, code: ErrorCode | undefined): void {
    const { events, figures, draining } = this.#premises
    figures.called(milliseconds)
    if (code !== undefined) figures.failed(code)
    if (this.tenant.pending > 0 || this.#closed) return
    this.#lifetime.rests()
    events.emit('idle', () => this.describe())
    if (draining) void this.tenant.close('drained')
  }

  lost(reason: LossCode): void {
    this.#premises.figures.lost += 1
    this.#premises.events.emit('lost', () => ({ ...this.describe(), reason }))
  }

  closed(reason: CloseReason): void {
    if (this.#closed) return
    this.#closed = true
    this.#lifetime.stop()
    this.#premises.left(this.tenant)
    if (!this.#opened) return
    this.#premises.figures.closed(reason)
    this.#premises.events.emit('closed', () => ({ ...this.describe(), reason }))
  }

  /** What every event says of it. */
  describe(): SandboxEventData {
    const { id, isolation, generation } = this.tenant
    return { id, isolation, generation }
  }
}
