import type { HostedSession } from '../hosted-session.ts'

/** The sessions of a host that nobody uses, the longest idle first. */
export class IdleSessions {
  readonly #sessions = new Set<HostedSession>()

  /** The last pending call of a session has settled. */
  rests(session: HostedSession): void {
    this.#sessions.delete(session)
    this.#sessions.add(session)
  }

  /** A session is used, or is gone. */
  leaves(session: HostedSession): void {
    this.#sessions.delete(session)
  }

  /** Takes the longest idle session out that has a place and that `fits`. */
  take(fits: (session: HostedSession) => boolean): HostedSession | undefined {
    for (const session of this.#sessions) {
      if (!session.isIdle || !fits(session)) continue
      this.#sessions.delete(session)
      return session
    }
    return undefined
  }
}
