import type { Place } from '../places/place.ts'
import type { HostedSession } from './hosted-session.ts'

/** One place of a session in a cell, or with a pass of its own. */
interface Stay {
  readonly session: HostedSession
}

/** Which sessions have the places that events of the proxy name: by cell, or by pass. */
export class CellSessions {
  readonly #stays = new Map<string, Set<Stay>>()

  /** A session has a place. @returns what to call when it has given it back; further calls do nothing */
  enter(session: HostedSession, { cell, pass }: Pick<Place, 'cell' | 'pass'>): () => void {
    const name = cell?.name ?? pass
    if (name === undefined) return () => undefined
    const stay: Stay = { session }
    const stays = this.#stays.get(name) ?? new Set()
    this.#stays.set(name, stays.add(stay))
    return () => {
      stays.delete(stay)
      if (stays.size === 0) this.#stays.delete(name)
    }
  }

  /** The sessions that are there now, the oldest sandbox first. */
  of(name: string): readonly HostedSession[] {
    const sessions = new Set<HostedSession>()
    for (const { session } of this.#stays.get(name) ?? []) {
      if (session.cell?.name === name || session.pass === name) sessions.add(session)
    }
    return [...sessions].sort((one, other) => one.sandbox - other.sandbox)
  }
}
