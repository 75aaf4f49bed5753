import { Watchdog } from '../async/watchdog.ts'
import type { HostedSession } from './hosted-session.ts'
import type { ResolvedHostOptions } from './options.ts'

/** Closes a tenant that nobody has used for long, or that has lived for long and is not in use. */
export class Lifetime {
  readonly #tenant: HostedSession
  readonly #idleTimeout: number | undefined
  readonly #idle: Watchdog
  readonly #life: Watchdog
  #over = false

  constructor(tenant: HostedSession, { idleTimeout, maxLifetime }: ResolvedHostOptions) {
    this.#tenant = tenant
    this.#idleTimeout = idleTimeout
    this.#idle = new Watchdog(() => closeIfIdle(tenant))
    this.#life = new Watchdog(() => this.#end())
    if (maxLifetime !== undefined) this.#life.expect(maxLifetime)
  }

  /** A call is pending: that is use. */
  used(): void {
    this.#idle.rest()
  }

  /** No call is pending. */
  rests(): void {
    if (this.#over) void this.#tenant.close('lifetime')
    else if (this.#idleTimeout !== undefined) this.#idle.expect(this.#idleTimeout)
  }

  /** The tenant is closed. */
  stop(): void {
    this.#idle.stop()
    this.#life.stop()
  }

  #end(): void {
    this.#over = true
    if (this.#tenant.pending === 0) void this.#tenant.close('lifetime')
  }
}

function closeIfIdle(tenant: HostedSession): void {
  if (tenant.pending === 0) void tenant.close('idle')
}
