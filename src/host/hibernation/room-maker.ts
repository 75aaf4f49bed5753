import type { HostedSession } from '../hosted-session.ts'
import type { IdleSessions } from './idle-sessions.ts'

/** What {@link RoomMaker} has of its host. */
export interface RoomMakerOptions {
  /** What becomes of an idle session whose place is needed. */
  readonly onSaturated: 'hibernate' | 'evict-idle'
  /** How many places are wanted now, of any session. */
  readonly wanted: () => number
  /** Places that are wanted now of sessions of one tenant each; undefined on a host without quotas. */
  readonly tenants?: TenantsWant | undefined
}

/** What the tenants of a host want of their own sessions. */
export interface TenantsWant {
  /** True where a tenant wants a place of its own sessions. */
  any(): boolean
  /** The tenant of a session. */
  of(session: HostedSession): object
  /** How many places the tenant of a session wants of its own sessions. */
  wanted(session: HostedSession): number
  /** How many places the tenant of a session has. */
  size(session: HostedSession): number
}

/** Has idle sessions give up their places: those of the tenant with the most places, the longest idle first. */
export class RoomMaker {
  readonly #idle: IdleSessions
  readonly #options: RoomMakerOptions
  /** Sessions that are giving their places up, with their tenants. */
  readonly #leaving = new Map<HostedSession, object | undefined>()

  constructor(idle: IdleSessions, options: RoomMakerOptions) {
    this.#idle = idle
    this.#options = options
  }

  /** Makes room. Call it when more is wanted, and when a session comes to rest. */
  make(): void {
    const { onSaturated, wanted, tenants } = this.#options
    const isStored = onSaturated === 'hibernate'
    for (;;) {
      const isWanted = wanted() > this.#leaving.size
      if (!isWanted && tenants?.any() !== true) return
      const session = this.#idle.take(
        (idle) => (!isStored || idle.id !== undefined) && (isWanted || this.#isWantedOfTenant(idle)),
        tenants?.size,
      )
      if (session === undefined) return
      this.#leaving.set(session, tenants?.of(session))
      void this.#putOut(session, isStored)
    }
  }

  #isWantedOfTenant(session: HostedSession): boolean {
    const { tenants } = this.#options
    const tenant = tenants?.of(session)
    const leaving = [...this.#leaving.values()].filter((other) => other === tenant).length
    return tenants !== undefined && tenants.wanted(session) > leaving
  }

  async #putOut(session: HostedSession, isStored: boolean): Promise<void> {
    try {
      if (isStored) await session.hibernate('saturated')
      else await session.close('evicted')
    } catch {
      // The session keeps its place, and the host has told why. It is asked again once it was used.
    } finally {
      this.#leaving.delete(session)
    }
    this.make()
  }
}
