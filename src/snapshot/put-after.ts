import { StaleFenceError } from '../sandbox/errors.ts'
import type { Snapshot } from './snapshot.ts'
import type { SnapshotStore } from './store.ts'

/**
 * Stores a snapshot as the one after `known`, the number of what the store had; 0: it had nothing.
 *
 * @returns the number that it was put with
 * @throws {StaleFenceError} where another process has stored one since
 */
export async function putAfter(
  store: SnapshotStore,
  id: string,
  snapshot: Snapshot,
  known: number,
): Promise<number> {
  try {
    await store.put(id, snapshot, { fence: known + 1 })
    return known + 1
  } catch (error) {
    const isNew = known === 0 && error instanceof StaleFenceError
    if (!isNew || (await store.find(id)) !== undefined) throw error
    // The store still knows the number of one that was deleted.
    return putAfter(store, id, snapshot, error.seen)
  }
}
