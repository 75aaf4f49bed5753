import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import * as v from 'valibot'
import { eachOf, makeFolder, orMissing, putFile, syncFolder } from '../snapshot/directory-store/files.ts'
import { nameOfId } from '../snapshot/directory-store/ids.ts'
import { storing } from '../snapshot/storing.ts'
import type { RecordStore, SandboxRecord } from './options.ts'

const recordSchema = v.object({
  id: v.string(),
  template: v.string(),
  labels: v.record(v.string(), v.string()),
  createdAt: v.number(),
})

/** Records of this process alone. */
export class MemoryRecords implements RecordStore {
  readonly #records = new Map<string, SandboxRecord>()

  async put(record: SandboxRecord): Promise<void> {
    this.#records.set(record.id, record)
  }

  async delete(id: string): Promise<void> {
    this.#records.delete(id)
  }

  async get(id: string): Promise<SandboxRecord | undefined> {
    return this.#records.get(id)
  }

  async list(): Promise<readonly SandboxRecord[]> {
    return [...this.#records.values()]
  }
}

/** Records in a directory, a file each: whole, and on the medium when a put resolves. */
export class DirectoryRecords implements RecordStore {
  readonly #path: string
  readonly #temporary: string
  #prepared: Promise<void> | undefined

  constructor(path: string) {
    this.#path = join(path, 'sandboxes')
    this.#temporary = join(path, 'temporary')
  }

  put(record: SandboxRecord): Promise<void> {
    return storing(this.#path, async () => {
      await this.#prepare()
      await putFile(this.#temporary, this.#fileOf(record.id), [Buffer.from(JSON.stringify(record))])
      await syncFolder(this.#path)
    })
  }

  delete(id: string): Promise<void> {
    return storing(this.#path, async () => {
      await this.#prepare()
      await rm(this.#fileOf(id), { force: true })
      await syncFolder(this.#path)
    })
  }

  get(id: string): Promise<SandboxRecord | undefined> {
    return storing(this.#path, async () => this.#read(this.#fileOf(id)))
  }

  list(): Promise<readonly SandboxRecord[]> {
    return storing(this.#path, async () => {
      const records: SandboxRecord[] = []
      const names = await orMissing(readdir(this.#path), [])
      await eachOf(names, async (name) => {
        const record = await this.#read(join(this.#path, name))
        if (record !== undefined) records.push(record)
      })
      return records
    })
  }

  async #read(file: string): Promise<SandboxRecord | undefined> {
    const text = await orMissing(readFile(file, 'utf8'), undefined)
    return text === undefined ? undefined : v.parse(recordSchema, JSON.parse(text))
  }

  #fileOf(id: string): string {
    return join(this.#path, `${nameOfId(id)}.json`)
  }

  #prepare(): Promise<void> {
    this.#prepared ??= (async () => {
      await makeFolder(this.#path)
      await makeFolder(this.#temporary)
    })()
    return this.#prepared
  }
}
