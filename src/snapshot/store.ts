import type { Snapshot } from './snapshot.ts'

/** How a snapshot is stored. */
export interface PutSnapshotOptions {
  /**
   * A number that rises with whoever has the session: of two processes that store it, the one with the lower number is
   * refused. An integer of at least 0.
   *
   * @default one more than the highest that the store has seen for the id
   */
  readonly fence?: number | undefined
}

/** Which snapshot is deleted. */
export interface DeleteSnapshotOptions {
  /**
   * The highest number that is deleted: what another process has stored with a higher one stays.
   *
   * @default undefined (whatever its number is)
   */
  readonly fence?: number | undefined
}

/** What a store says of a snapshot. */
export interface StoredSnapshot {
  /** The id that it is stored under. */
  readonly id: string
  /** The number that it was stored with. */
  readonly fence: number
  /** When it was stored. */
  readonly storedAt: Date
}

/** Where snapshots are kept, each under an id. Implement it to keep them elsewhere: an object store, a database. */
export interface SnapshotStore {
  /**
   * Stores a snapshot in the place of the one that the id has. It is in the store as a whole, or not at all.
   *
   * @throws {StaleFenceError} where the store has seen the same fence or a higher one for this id, also where its snapshot was
   *   deleted since
   */
  put(id: string, snapshot: Snapshot, options?: PutSnapshotOptions): Promise<void>
  /**
   * The snapshot that was stored last under the id; undefined where there is none.
   *
   * @throws {SnapshotError} where what is stored is damaged or altered
   */
  get(id: string): Promise<Snapshot | undefined>
  /** What the store says of the snapshot of the id; undefined where there is none. */
  find(id: string): Promise<StoredSnapshot | undefined>
  /** All snapshots of the store, in no order. */
  list(): Promise<readonly StoredSnapshot[]>
  /**
   * Deletes the snapshot of the id, if there is one. The store still knows its fence.
   *
   * @throws {StaleFenceError} where the store has seen a higher fence than the one that is given: nothing is deleted
   */
  delete(id: string, options?: DeleteSnapshotOptions): Promise<void>
}
