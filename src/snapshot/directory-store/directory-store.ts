import { isAbsolute, join, resolve } from 'node:path'
import { performance } from '../../async/clock.ts'
import { refuse } from '../../sandbox/arguments.ts'
import { SandboxError, SandboxIoError, SnapshotError, StaleFenceError } from '../../sandbox/errors.ts'
import { errorMessage } from '../../sandbox/kinds.ts'
import { optionsOf, within } from '../../sandbox/options-of.ts'
import { kindOf, quote } from '../../sandbox/show-value.ts'
import { type NamedContent, nameContent, numberContent } from '../content.ts'
import { type ResolvedLimits, resolveLimits, type SnapshotLimits } from '../limits.ts'
import { digestsOf } from '../manifest.ts'
import type { Manifest } from '../manifest-schema.ts'
import { refuseSnapshot } from '../refuse.ts'
import { requireKey, type SnapshotKey } from '../signature.ts'
import { contentOf, Snapshot, snapshotOf } from '../snapshot.ts'
import type { PutSnapshotOptions, SnapshotStore, StoredSnapshot } from '../store.ts'
import { type CollectReport, collect } from './collect.ts'
import { ContentFiles } from './contents.ts'
import { eachOf, makeFolder, syncFolder } from './files.ts'
import { nameOfId } from './ids.ts'
import { readRecord, writeRecord } from './record.ts'
import { type RecordFile, Records } from './records.ts'

export type { CollectReport }

/** Options of a {@link directoryStore}. */
export interface DirectoryStoreOptions {
  /**
   * What snapshots are signed with, so that what is altered in the directory is refused. They are not encrypted.
   *
   * @default undefined (they are not signed)
   */
  readonly key?: SnapshotKey | undefined
  /**
   * The bounds of what is read.
   *
   * @default {} (the defaults of {@link SnapshotLimits})
   */
  readonly limits?: SnapshotLimits | undefined
}

/** What {@link DirectoryStore.collect} removes. */
export interface CollectOptions {
  /**
   * Seconds for which a content was not used, or an id has been deleted; from 60, because what is just being put counts as
   * not named.
   *
   * @default 3600 (an hour)
   */
  readonly olderThan?: number | undefined
}

/** A store in a directory of the host. */
export interface DirectoryStore extends SnapshotStore {
  /**
   * Removes contents that no snapshot names, and forgets the fences of ids that were deleted. It can run at any time, in one
   * process or several. Snapshots stay until they are deleted.
   *
   * @throws {SnapshotError} where a snapshot cannot be read: what it names is not known. Delete it first
   */
  collect(options?: CollectOptions): Promise<CollectReport>
}

/** Seconds in which a put has its contents and its record there. */
const LEAST_AGE = 60

/** The longest time, in seconds: ten years. */
const LONGEST = 10 * 365 * 86_400

/** Times that a put without a fence begins again because another process was there first. */
const MOST_TRIES = 20

/** Times that a snapshot is read of which a content is missing: who collects may be about to put it back. */
const MOST_READS = 5

/**
 * A store in a directory, which is made where it is missing. Processes on one machine can share it. Snapshots share the contents
 * of files.
 *
 * @throws {SandboxConfigError} naming the argument that is not valid
 */
export function directoryStore(path: string, options: DirectoryStoreOptions = {}): DirectoryStore {
  if (typeof path !== 'string' || path === '' || path.includes('\0'))
    throw refuse('path', `must be the path of a directory, but is ${kindOf(path)}.`)
  const { key, limits } = optionsOf<DirectoryStoreOptions>(options, ['key', 'limits'])
  return new Directory(isAbsolute(path) ? path : resolve(path), requireKey(key), resolveLimits(limits))
}

class Directory implements DirectoryStore {
  readonly #path: string
  readonly #key: Buffer | undefined
  readonly #limits: ResolvedLimits
  readonly #temporary: string
  readonly #contents: ContentFiles
  readonly #records: Records
  #prepared: Promise<void> | undefined

  constructor(path: string, key: Buffer | undefined, limits: ResolvedLimits) {
    this.#path = path
    this.#key = key
    this.#limits = limits
    this.#temporary = join(path, 'temporary')
    this.#contents = new ContentFiles(path, this.#temporary)
    this.#records = new Records(path, this.#temporary)
  }

  async put(id: string, snapshot: Snapshot, options: PutSnapshotOptions = {}): Promise<void> {
    nameOfId(id)
    if (!(snapshot instanceof Snapshot))
      throw refuse('snapshot', `must be a Snapshot, but is ${kindOf(snapshot)}.`)
    const { fence } = optionsOf<PutSnapshotOptions>(options, ['fence'])
    const range = { least: 0, most: Number.MAX_SAFE_INTEGER, isWhole: true }
    const wanted = fence === undefined ? undefined : within('fence', fence, range)
    await this.#doing(async () => {
      const { manifest, contents } = await nameContent(contentOf(snapshot))
      requireReadable({ manifest, contents }, this.#limits)
      await this.#prepare()
      const start = performance.now()
      await this.#contents.keep(contents)
      // Most of the time it takes is for new contents: now they are there.
      if (performance.now() - start > (LEAST_AGE / 2) * 1000) await this.#contents.keep(contents)
      await this.#add(id, manifest, wanted)
      await this.#contents.keep(contents)
    })
  }

  async get(id: string): Promise<Snapshot | undefined> {
    nameOfId(id)
    return this.#doing(() => this.#get(id))
  }

  async list(): Promise<readonly StoredSnapshot[]> {
    return this.#doing(async () => {
      const stored: StoredSnapshot[] = []
      await eachOf(await this.#records.ids(), async (id) => {
        const found = await this.#find(id)
        if (found !== undefined) stored.push(found)
      })
      return stored
    })
  }

  async find(id: string): Promise<StoredSnapshot | undefined> {
    nameOfId(id)
    return this.#doing(() => this.#find(id))
  }

  async delete(id: string): Promise<void> {
    nameOfId(id)
    await this.#doing(async () => {
      await this.#prepare()
      await this.#records.empty(id)
    })
  }

  async collect(options: CollectOptions = {}): Promise<CollectReport> {
    const { olderThan = 3600 } = optionsOf<CollectOptions>(options, ['olderThan'])
    const seconds = within('olderThan', olderThan, { least: LEAST_AGE, most: LONGEST, unit: 'seconds' })
    const store = {
      records: this.#records,
      contents: this.#contents,
      temporary: this.#temporary,
      manifestOf: async (record: RecordFile) => (await this.#named(record)) ?? { files: [] },
    }
    return this.#doing(async () => {
      await this.#prepare()
      return collect(store, seconds)
    })
  }

  /** Makes the directory where it is missing, once. */
  #prepare(): Promise<void> {
    this.#prepared ??= this.#makeFolders().catch((error: unknown) => {
      this.#prepared = undefined
      throw error
    })
    return this.#prepared
  }

  async #makeFolders(): Promise<void> {
    for (const folder of [this.#temporary, ...this.#contents.folders, this.#records.root])
      await makeFolder(folder)
    await syncFolder(this.#path)
  }

  /** As `#manifestOf`, and says which snapshot it is that cannot be read. */
  async #named(record: RecordFile): Promise<Manifest | undefined> {
    try {
      return await this.#manifestOf(record)
    } catch (error) {
      if (!(error instanceof SnapshotError)) throw error
      const message = `Nothing was collected, because it is not known what the snapshot of ${quote(record.id)} names. Delete it first. ${error.message}`
      throw new SnapshotError(message, { fault: error.fault, cause: error })
    }
  }

  /** Adds the record of a snapshot; without a fence with the next one. */
  async #add(id: string, manifest: Manifest, wanted: number | undefined): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      const fence = wanted ?? ((await this.#records.of(id))[0]?.fence ?? 0) + 1
      try {
        await this.#records.add(id, fence, await writeRecord(manifest, { id, fence }, this.#key))
        return
      } catch (error) {
        if (wanted !== undefined || tries === MOST_TRIES || !(error instanceof StaleFenceError)) throw error
      }
    }
  }

  async #find(id: string): Promise<StoredSnapshot | undefined> {
    const [highest] = await this.#records.of(id)
    const found = highest && (await this.#records.look(highest))
    if (highest === undefined || found === undefined || found.isEmpty) return undefined
    return { id, fence: highest.fence, storedAt: found.modified }
  }

  /** What is there may be replaced or removed while it is read: then there is another record. */
  async #get(id: string): Promise<Snapshot | undefined> {
    let seen: number | undefined
    for (let tries = 1; ; tries += 1) {
      const [highest] = await this.#records.of(id)
      if (highest === undefined) return undefined
      if (highest.fence !== seen) tries = 1
      seen = highest.fence
      const manifest = await this.#manifestOf(highest)
      const contents =
        manifest && (await this.#contents.read(digestsOf(manifest), this.#limits.maxUnpackedBytes))
      if (manifest !== undefined && contents !== undefined)
        return snapshotOf(numberContent({ manifest, contents }))
      if ((await this.#records.look(highest))?.isEmpty === true) return undefined
      if (tries === MOST_READS)
        throw refuseSnapshot('malformed', 'does not have all of its contents in the store.')
    }
  }

  /** The manifest of a record; undefined where it is missing or says that the snapshot was deleted. */
  async #manifestOf(record: RecordFile): Promise<Manifest | undefined> {
    const bytes = await this.#records.read(record, this.#limits.maxManifestBytes)
    if (bytes === undefined || bytes.length === 0) return undefined
    return readRecord(bytes, record, { key: this.#key, maxFiles: this.#limits.maxFiles })
  }

  /** @throws SandboxIoError for what the file system met */
  async #doing<T>(act: () => Promise<T>): Promise<T> {
    try {
      return await act()
    } catch (error) {
      if (error instanceof SandboxError) throw error
      const message = `The snapshot store failed: ${errorMessage(error)}`
      throw new SandboxIoError(message, { path: this.#path, cause: error })
    }
  }
}

/** @throws SnapshotError where the store could not give the snapshot again */
function requireReadable(
  { manifest, contents }: NamedContent,
  { maxFiles, maxUnpackedBytes }: ResolvedLimits,
): void {
  let bytes = 0
  for (const { length } of contents.values()) bytes += length
  if (manifest.files.length > maxFiles)
    throw refuseSnapshot('too-large', `has more than ${maxFiles} files (limits.maxFiles).`)
  if (bytes > maxUnpackedBytes)
    throw refuseSnapshot('too-large', `has more than ${maxUnpackedBytes} bytes (limits.maxUnpackedBytes).`)
}
