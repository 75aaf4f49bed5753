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

  /**
   * Takes the longest idle session out that has a place and that `fits`.
   *
   * @param sizeOf - where it is given, only those for which it gives most count.
   */
  take(
    fits: (session: HostedSession) => boolean,
    sizeOf?: (session: HostedSession) => number,
  ): HostedSession | undefined {
    let best: HostedSession | undefined
    let most = Number.NEGATIVE_INFINITY
    for (const session of this.#sessions) {
      if (!session.isIdle || !fits(session)) continue
      const size = sizeOf?.(session) ?? 0
      if (size <= most) continue
      best = session
      most = size
      if (sizeOf === undefined) break
    }
    if (best !== undefined) this.#sessions.delete(best)
    return best
  }
}
