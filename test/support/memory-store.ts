import { StaleFenceError } from '../../src/sandbox/errors.ts'
import type { Snapshot } from '../../src/snapshot/snapshot.ts'
import type {
  DeleteSnapshotOptions,
  PutSnapshotOptions,
  SnapshotStore,
  StoredSnapshot,
} from '../../src/snapshot/store.ts'

/** A store in memory. It notes what is done, and fails when it is told to. */
export class MemoryStore implements SnapshotStore {
  readonly done: string[] = []
  /** What the next operations reject with, or wait for. */
  failure: Error | Promise<never> | undefined
  readonly #stored = new Map<string, StoredSnapshot & { readonly snapshot: Snapshot | undefined }>()

  async put(id: string, snapshot: Snapshot, { fence }: PutSnapshotOptions = {}): Promise<void> {
    await this.#do('put', id)
    const seen = this.#stored.get(id)?.fence ?? 0
    const number = fence ?? seen + 1
    if (number <= seen) throw new StaleFenceError('It is stale.', { fence: number, seen })
    this.#stored.set(id, { id, fence: number, storedAt: new Date(), snapshot })
  }

  async get(id: string): Promise<Snapshot | undefined> {
    await this.#do('get', id)
    return this.#stored.get(id)?.snapshot
  }

  async find(id: string): Promise<StoredSnapshot | undefined> {
    if (this.failure !== undefined) await this.#do('find', id)
    const { snapshot, ...found } = this.#stored.get(id) ?? { snapshot: undefined }
    return snapshot === undefined || !('id' in found) ? undefined : found
  }

  async list(): Promise<readonly StoredSnapshot[]> {
    return [...this.#stored.values()].filter(({ snapshot }) => snapshot !== undefined)
  }

  async delete(id: string, { fence = Number.POSITIVE_INFINITY }: DeleteSnapshotOptions = {}): Promise<void> {
    await this.#do('delete', id)
    const stored = this.#stored.get(id)
    if (stored !== undefined && stored.fence > fence)
      throw new StaleFenceError('It is stale.', { fence, seen: stored.fence })
    if (stored !== undefined) this.#stored.set(id, { ...stored, snapshot: undefined })
  }

  async #do(what: string, id: string): Promise<void> {
    this.done.push(`${what} ${id}`)
    if (this.failure instanceof Error) throw this.failure
    await this.failure
  }
}
