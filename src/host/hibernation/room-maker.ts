import type { HostedSession } from '../hosted-session.ts'
import type { IdleSessions } from './idle-sessions.ts'

/** What {@link RoomMaker} has of its host. */
export interface RoomMakerOptions {
  /** What becomes of an idle session whose place is needed. */
  readonly onSaturated: 'hibernate' | 'evict-idle'
  /** How many places are wanted now. */
  readonly wanted: () => number
}

/** Has the longest idle sessions give up their places. */
export class RoomMaker {
  readonly #idle: IdleSessions
  readonly #options: RoomMakerOptions
  /** Sessions that are giving their places up. */
  #leaving = 0

  constructor(idle: IdleSessions, options: RoomMakerOptions) {
    this.#idle = idle
    this.#options = options
  }

  /** Makes room. Call it when more is wanted, and when a session comes to rest. */
  make(): void {
    const { onSaturated, wanted } = this.#options
    const isStored = onSaturated === 'hibernate'
    while (wanted() > this.#leaving) {
      const session = this.#idle.take(({ id }) => !isStored || id !== undefined)
      if (session === undefined) return
      this.#leaving += 1
      void this.#putOut(session, isStored)
    }
  }

  async #putOut(session: HostedSession, isStored: boolean): Promise<void> {
    try {
      if (isStored) await session.hibernate('saturated')
      else await session.close('evicted')
    } catch {
      // The session keeps its place, and the host has told why. It is asked again once it was used.
    } finally {
      this.#leaving -= 1
    }
    this.make()
  }
}
