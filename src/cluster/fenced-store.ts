import { StaleFenceError } from '../sandbox/errors.ts'
import { quote } from '../sandbox/show-value.ts'
import type { Snapshot } from '../snapshot/snapshot.ts'
import type {
  DeleteSnapshotOptions,
  PutSnapshotOptions,
  SnapshotStore,
  StoredSnapshot,
} from '../snapshot/store.ts'

/** How many numbers of the store belong to one fence of the cluster: the first to its beginning, the others to checkpoints. */
const span = 2 ** 20

/** The fence of the cluster that a number of the store belongs to. */
export function clusterFence(number: number): number {
  return Math.floor(number / span)
}

/**
 * The shared store as one node uses it: what it puts is numbered above all that those could put that had the session before. Its own
 * numbers begin at 0 with each fence.
 */
export class FencedStore implements SnapshotStore {
  readonly #store: SnapshotStore
  readonly #fenceOf: (id: string) => number | undefined

  /** @param fenceOf - the fence with which this node has a session; undefined where it does not have it. */
  constructor(store: SnapshotStore, fenceOf: (id: string) => number | undefined) {
    this.#store = store
    this.#fenceOf = fenceOf
  }

  /** The number with which the shared store has a session; 0 where it has none. */
  async seen(id: string): Promise<number> {
    return (await this.#store.find(id))?.fence ?? 0
  }

  /** Puts what the store has of a session again, with the first number of a fence: nobody below it can put any more. */
  async takeOver(id: string, fence: number): Promise<void> {
    const snapshot = await this.#store.get(id)
    if (snapshot !== undefined) await this.#store.put(id, snapshot, { fence: fence * span })
  }

  async put(id: string, snapshot: Snapshot, { fence = 0 }: PutSnapshotOptions = {}): Promise<void> {
    const first = this.#firstOf(id)
    try {
      await this.#store.put(id, snapshot, { fence: first + fence })
    } catch (error) {
      if (!(error instanceof StaleFenceError)) throw error
      throw new StaleFenceError(error.message, { fence, seen: error.seen - first, cause: error })
    }
  }

  get(id: string): Promise<Snapshot | undefined> {
    return this.#store.get(id)
  }

  /** Undefined for what this node does not have. */
  async find(id: string): Promise<StoredSnapshot | undefined> {
    const own = this.#fenceOf(id)
    const found = own === undefined ? undefined : await this.#store.find(id)
    return found && own !== undefined ? { ...found, fence: Math.max(0, found.fence - own * span) } : undefined
  }

  list(): Promise<readonly StoredSnapshot[]> {
    return this.#store.list()
  }

  /** What another node has, or may have, stays. */
  async delete(id: string, { fence = span - 1 }: DeleteSnapshotOptions = {}): Promise<void> {
    const own = this.#fenceOf(id)
    if (own !== undefined) await this.#store.delete(id, { fence: own * span + fence })
  }

  #firstOf(id: string): number {
    const fence = this.#fenceOf(id)
    if (fence !== undefined) return fence * span
    const message = `The snapshot of ${quote(id)} was not stored: this node does not have the session any more.`
    throw new StaleFenceError(message, { fence: 0, seen: 0 })
  }
}
