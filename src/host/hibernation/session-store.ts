import { interruptible } from '../../async/interruptible.ts'
import { SandboxIoError, StaleFenceError } from '../../sandbox/errors.ts'
import { quote } from '../../sandbox/show-value.ts'
import { putAfter } from '../../snapshot/put-after.ts'
import type { Snapshot } from '../../snapshot/snapshot.ts'
import type { SnapshotStore } from '../../snapshot/store.ts'
import { storing } from '../../snapshot/storing.ts'

/**
 * The store of a host, one operation at a time for each session. It numbers what it puts: where another process has stored the
 * same session since, the store refuses. An operation that does not end in time rejects.
 */
export class SessionStore {
  readonly #store: SnapshotStore
  readonly #seconds: number
  /** The number of what the store has of a session, where this host has looked or put. */
  readonly #fences = new Map<string, number>()
  readonly #last = new Map<string, Promise<unknown>>()

  /** @param seconds - that one operation may take. */
  constructor(store: SnapshotStore, seconds: number) {
    this.#store = store
    this.#seconds = seconds
  }

  /** What the store has of a session; undefined where that is nothing. */
  get(id: string): Promise<Snapshot | undefined> {
    return this.#inTurn(id, async () => {
      // The number first: where another process puts meanwhile, this one's next put is refused.
      const found = await this.#store.find(id)
      this.#fences.set(id, found?.fence ?? 0)
      return found && this.#store.get(id)
    })
  }

  /** Whether the store has a session of this id. */
  has(id: string): Promise<boolean> {
    return this.#inTurn(id, async () => (await this.#store.find(id)) !== undefined)
  }

  /** Stores a session. @throws {StaleFenceError} where another process has stored it since */
  put(id: string, snapshot: Snapshot): Promise<void> {
    return this.#inTurn(id, async () => {
      const known = this.#fences.get(id) ?? 0
      this.#fences.set(id, await putAfter(this.#store, id, snapshot, known))
    })
  }

  /** Deletes what this host knows of a session. One that another process has stored since stays. */
  delete(id: string): Promise<void> {
    return this.#inTurn(id, async () => {
      const known = this.#fences.get(id)
      this.#fences.delete(id)
      if (known === undefined) return
      const found = await this.#store.find(id)
      if (found === undefined) return
      if (found.fence > known) throw staleDelete(id, known, found.fence)
      // Another process may store it now.
      await this.#store.delete(id, { fence: known })
    })
  }

  /** Resolves when nothing is under way. */
  async settled(): Promise<void> {
    while (this.#last.size > 0) await Promise.allSettled(this.#last.values())
  }

  async #inTurn<T>(id: string, act: () => Promise<T>): Promise<T> {
    const before = this.#last.get(id)
    const turn = (async () => {
      await before?.catch(() => undefined) // Whoever made that call is told.
      return interruptible(storing(id, act), { seconds: this.#seconds, onTimeout: () => this.#late(id) })
    })()
    this.#last.set(id, turn)
    try {
      return await turn
    } finally {
      if (this.#last.get(id) === turn) this.#last.delete(id)
    }
  }

  #late(id: string): SandboxIoError {
    const message = `The snapshot store did not answer within ${this.#seconds} s (openTimeout of the host) for the session ${quote(id)}.`
    return new SandboxIoError(message, { path: id })
  }
}

function staleDelete(id: string, fence: number, seen: number): StaleFenceError {
  const message = `The session ${quote(id)} was stored by another process since: it is not deleted.`
  return new StaleFenceError(message, { fence, seen })
}
