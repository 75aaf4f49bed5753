import type { CheckpointFacts, OmittedPart } from '../contract/checkpoint.ts'
import type { SessionStore } from '../host/hibernation/session-store.ts'
import type { SessionRegistration } from '../host/session-registration.ts'
import { quote } from '../sandbox/show-value.ts'
import { refuseSnapshot } from '../snapshot/refuse.ts'
import type { Snapshot } from '../snapshot/snapshot.ts'

/** What a session has handed over, and what of it is left out. */
export interface CheckpointTaken {
  readonly facts: CheckpointFacts
  readonly omitted: readonly OmittedPart[]
}

/** How sessions of a config become snapshots, and the other way. */
export interface SnapshotForm {
  write(taken: CheckpointTaken): Snapshot
  /** @throws SnapshotError for one of another version. @throws UnsupportedError for one of another shell */
  read(snapshot: Snapshot): CheckpointFacts
}

/** What a {@link StoredSession} is made of. */
export interface StoredSessionParts {
  readonly id: string
  readonly store: SessionStore
  readonly form: SnapshotForm
  readonly registration: SessionRegistration
  /** Whether its first session begins with what the store has. */
  readonly isNext: boolean
}

/** The sessions of one sandbox, and what the store of its host has of them. */
export class StoredSession {
  /** Whether the next session begins with what the store has. */
  isNext: boolean
  /** Whether the store has all that the last session had. */
  isHibernated = false
  readonly #parts: StoredSessionParts
  /** Whether the sandbox has had a session. */
  #wasOpened = false
  /** Which version of the open session the store has. */
  #version: number | undefined

  constructor(parts: StoredSessionParts) {
    this.#parts = parts
    this.isNext = parts.isNext
  }

  /**
   * What the next session begins with; undefined where the store has nothing.
   *
   * @throws {SnapshotError} once, where the store has nothing more of a session that it had
   */
  async load(): Promise<CheckpointFacts | undefined> {
    const { id, store, form } = this.#parts
    const snapshot = await store.get(id)
    if (snapshot !== undefined) return form.read(snapshot)
    if (!this.isHibernated) return undefined
    this.opened()
    throw refuseSnapshot(
      'missing',
      `of the session ${quote(id)} is not in the store of its host any more. The next call begins afresh.`,
    )
  }

  /** Whether the store has this version of the open session, with all that it runs. */
  has(version: number): boolean {
    return this.#version === version
  }

  /** Puts a checkpoint into the store. @throws what the store has thrown; its host has been told */
  async put(taken: CheckpointTaken, version: number): Promise<void> {
    const { id, store, form, registration } = this.#parts
    try {
      await store.put(id, form.write(taken))
    } catch (error) {
      registration.storeFailed('put', error)
      throw error
    }
    this.#version = taken.omitted.some(isLost) ? undefined : version
    registration.checkpointed()
  }

  /** The store has this version of the open session. */
  isAt(version: number): void {
    this.#version = version
  }

  /** A session is open. */
  opened(): void {
    this.#wasOpened = true
    this.#version = undefined
    this.isNext = false
    this.isHibernated = false
  }

  /** The last session is in the store, and has ended. */
  hibernated(): void {
    this.isNext = true
    this.isHibernated = true
  }

  /**
   * The sandbox was closed: nobody goes on with its session. What the store has stays where the sandbox could not be opened with it.
   * Where the store fails, its host is told.
   */
  async delete(): Promise<void> {
    if (!this.#wasOpened) return
    const { id, store, registration } = this.#parts
    try {
      await store.delete(id)
    } catch (error) {
      registration.storeFailed('delete', error)
    }
  }
}

/** Whether a part of a session is gone once it is stored and has ended: a command that runs, or a function. */
export function isLost({ kind }: OmittedPart): boolean {
  return kind === 'job' || kind === 'function'
}
