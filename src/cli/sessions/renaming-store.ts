import { StaleFenceError } from '../../sandbox/errors.ts'
import { quote } from '../../sandbox/show-value.ts'
import { putAfter } from '../../snapshot/put-after.ts'
import type { Snapshot } from '../../snapshot/snapshot.ts'
import type { SnapshotStore, StoredSnapshot } from '../../snapshot/store.ts'

/** The store of one session. Where another process has stored one under its name since, it goes on under a free name. */
export class RenamingStore implements SnapshotStore {
  /** What the session is stored under. */
  name: string
  readonly #store: SnapshotStore
  readonly #given: string
  readonly #warn: (line: string) => void
  /** The number that the store has of it; 0 where it has none. */
  #fence = 0

  /** @param warn - takes a line for standard error. */
  constructor(store: SnapshotStore, name: string, warn: (line: string) => void) {
    this.#store = store
    this.#given = name
    this.name = name
    this.#warn = warn
  }

  async put(id: string, snapshot: Snapshot): Promise<void> {
    try {
      this.#fence = await putAfter(this.#store, this.name, snapshot, this.#fence)
    } catch (error) {
      if (!(error instanceof StaleFenceError)) throw error
      await this.#takeFreeName()
      await this.put(id, snapshot)
    }
  }

  async find(): Promise<StoredSnapshot | undefined> {
    const found = await this.#store.find(this.name)
    this.#fence = found?.fence ?? 0
    return found
  }

  get(): Promise<Snapshot | undefined> {
    return this.#store.get(this.name)
  }

  list(): Promise<readonly StoredSnapshot[]> {
    return this.#store.list()
  }

  delete(): Promise<void> {
    return this.#store.delete(this.name)
  }

  /** Goes on beside the session of another process. */
  async #takeFreeName(): Promise<void> {
    let number = 2
    while ((await this.#store.find(`${this.#given}-${number}`)) !== undefined) number += 1
    this.name = `${this.#given}-${number}`
    this.#fence = 0
    this.#warn(
      `another process has stored the session ${quote(this.#given)} since. This one is stored as ${quote(this.name)} from now on.`,
    )
  }
}
