import { Watchdog } from '../async/watchdog.ts'
import type { HostedSession } from './hosted-session.ts'
import type { ResolvedHostOptions } from './options.ts'

/** Closes a sandbox that was idle for `idleTimeout`, or is older than `maxLifetime` and not in use. */
export class Lifetime {
  readonly #session: HostedSession
  readonly #idleTimeout: number | undefined
  readonly #idle: Watchdog
  readonly #life: Watchdog
  #over = false

  constructor(session: HostedSession, { idleTimeout, maxLifetime }: ResolvedHostOptions) {
    this.#session = session
    this.#idleTimeout = idleTimeout
    this.#idle = new Watchdog(() => closeIfIdle(session))
    this.#life = new Watchdog(() => this.#end())
    if (maxLifetime !== undefined) this.#life.expect(maxLifetime)
  }

  /** A call is pending: that is use. */
  used(): void {
    this.#idle.rest()
  }

  /** No call is pending. */
  rests(): void {
    if (this.#over) void this.#session.close('lifetime')
    else if (this.#idleTimeout !== undefined) this.#idle.expect(this.#idleTimeout)
  }

  /** The session is closed. */
  stop(): void {
    this.#idle.stop()
    this.#life.stop()
  }

  #end(): void {
    this.#over = true
    if (this.#session.pending === 0) void this.#session.close('lifetime')
  }
}

function closeIfIdle(session: HostedSession): void {
  if (session.pending === 0) void session.close('idle')
}
