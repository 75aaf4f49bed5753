import type { RecordStore, SandboxRecord } from '../service/options.ts'

/** The shared records as one node uses them: it sees those of its own sessions. */
export class OwnedRecords implements RecordStore {
  readonly #records: RecordStore
  readonly #owns: (id: string) => boolean

  constructor(records: RecordStore, owns: (id: string) => boolean) {
    this.#records = records
    this.#owns = owns
  }

  put(record: SandboxRecord): Promise<void> {
    return this.#records.put(record)
  }

  delete(id: string): Promise<void> {
    return this.#records.delete(id)
  }

  async get(id: string): Promise<SandboxRecord | undefined> {
    return this.#owns(id) ? this.#records.get(id) : undefined
  }

  /** A node begins with none. */
  async list(): Promise<readonly SandboxRecord[]> {
    return []
  }
}
