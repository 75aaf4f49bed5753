import { isAbsolute, join, resolve } from 'node:path'
import { performance } from '../../async/clock.ts'
import { refuse } from '../../sandbox/arguments.ts'
import { SnapshotError, StaleFenceError } from '../../sandbox/errors.ts'
import { optionsOf, within } from '../../sandbox/options-of.ts'
import { kindOf, quote } from '../../sandbox/show-value.ts'
import { type NamedContent, nameContent, numberContent } from '../content.ts'
import { type ResolvedLimits, resolveLimits, type SnapshotLimits } from '../limits.ts'
import { digestsOf } from '../manifest.ts'
import { refuseSnapshot } from '../refuse.ts'
import { requireKey, type SnapshotKey } from '../signature.ts'
import { contentOf, Snapshot, snapshotOf } from '../snapshot.ts'
import type { DeleteSnapshotOptions, PutSnapshotOptions, SnapshotStore, StoredSnapshot } from '../store.ts'
import { storing } from '../storing.ts'
import { type CollectReport, collect } from './collect.ts'
import { ContentFiles } from './contents.ts'
import { eachOf, makeFolder, syncFolder } from './files.ts'
import { nameOfId } from './ids.ts'
import { type Recorded, readRecord, writeRecord } from './record.ts'
import { type RecordFile, Records } from './records.ts'
import { MOST_IN_RECORD, placeContents } from './small-contents.ts'

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
  /**
   * Bytes up to which a content is kept with its snapshot, for which one file is read and written; larger ones are shared by
   * all snapshots that have them. At most 256 KiB of a snapshot are kept so.
   *
   * @default 4096
   */
  readonly maxInline?: number | undefined
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
  const {
    key,
    limits,
    maxInline = 4096,
  } = optionsOf<DirectoryStoreOptions>(options, ['key', 'limits', 'maxInline'])
  const range = { least: 0, most: MOST_IN_RECORD, unit: 'bytes', isWhole: true }
  return new Directory(isAbsolute(path) ? path : resolve(path), {
    key: requireKey(key),
    limits: resolveLimits(limits),
    maxInline: within('maxInline', maxInline, range),
  })
}

interface ResolvedOptions {
  readonly key: Buffer | undefined
  readonly limits: ResolvedLimits
  readonly maxInline: number
}

class Directory implements DirectoryStore {
  readonly #path: string
  readonly #key: Buffer | undefined
  readonly #limits: ResolvedLimits
  readonly #maxInline: number
  readonly #temporary: string
  readonly #contents: ContentFiles
  readonly #records: Records
  #prepared: Promise<void> | undefined

  constructor(path: string, { key, limits, maxInline }: ResolvedOptions) {
    this.#path = path
    this.#key = key
    this.#limits = limits
    this.#maxInline = maxInline
    this.#temporary = join(path, 'temporary')
    this.#contents = new ContentFiles(path, this.#temporary)
    this.#records = new Records(path, this.#temporary)
  }

  async put(id: string, snapshot: Snapshot, options: PutSnapshotOptions = {}): Promise<void> {
    nameOfId(id)
    if (!(snapshot instanceof Snapshot))
      throw refuse('snapshot', `must be a Snapshot, but is ${kindOf(snapshot)}.`)
    const wanted = fenceIn(options)
    await this.#doing(async () => {
      const { manifest, contents } = await nameContent(contentOf(snapshot))
      requireReadable({ manifest, contents }, this.#limits)
      await this.#prepare()
      const { small, large } = placeContents(contents, this.#maxInline)
      const start = performance.now()
      await this.#contents.keep(large)
      // Most of the time it takes is for new contents: now they are there.
      if (performance.now() - start > (LEAST_AGE / 2) * 1000) await this.#contents.keep(large)
      await this.#add(id, { manifest, small }, wanted)
      await this.#contents.keep(large)
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

  async delete(id: string, options: DeleteSnapshotOptions = {}): Promise<void> {
    nameOfId(id)
    const most = fenceIn(options)
    await this.#doing(async () => {
      await this.#prepare()
      await this.#records.empty(id, most)
    })
  }

  async collect(options: CollectOptions = {}): Promise<CollectReport> {
    const { olderThan = 3600 } = optionsOf<CollectOptions>(options, ['olderThan'])
    const seconds = within('olderThan', olderThan, { least: LEAST_AGE, most: LONGEST, unit: 'seconds' })
    const store = {
      records: this.#records,
      contents: this.#contents,
      temporary: this.#temporary,
      manifestOf: async (record: RecordFile) => (await this.#named(record))?.manifest ?? { files: [] },
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

  /** As `#read`, and says which snapshot it is that cannot be read. */
  async #named(record: RecordFile): Promise<Recorded | undefined> {
    try {
      return await this.#read(record)
    } catch (error) {
      if (!(error instanceof SnapshotError)) throw error
      const message = `Nothing was collected, because it is not known what the snapshot of ${quote(record.id)} names. Delete it first. ${error.message}`
      throw new SnapshotError(message, { fault: error.fault, cause: error })
    }
  }

  /** Adds the record of a snapshot; without a fence with the next one. */
  async #add(id: string, recorded: Recorded, wanted: number | undefined): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      const fence = wanted ?? ((await this.#records.of(id))[0]?.fence ?? 0) + 1
      try {
        await this.#records.add(id, fence, await writeRecord(recorded, { id, fence }, this.#key))
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
      const recorded = await this.#read(highest)
      const content = recorded && (await this.#withContents(recorded))
      if (content !== undefined) return snapshotOf(numberContent(content))
      if ((await this.#records.look(highest))?.isEmpty === true) return undefined
      if (tries === MOST_READS)
        throw refuseSnapshot('malformed', 'does not have all of its contents in the store.')
    }
  }

  /** All contents of a snapshot; undefined where one is missing. */
  async #withContents({ manifest, small }: Recorded): Promise<NamedContent | undefined> {
    const digests = [...digestsOf(manifest)].filter((digest) => !small.has(digest))
    let left = this.#limits.maxUnpackedBytes
    for (const { length } of small.values()) left -= length
    const large = await this.#contents.read(digests, left)
    return large && { manifest, contents: new Map([...small, ...large]) }
  }

  /** What a record holds; undefined where it is missing or says that the snapshot was deleted. */
  async #read(record: RecordFile): Promise<Recorded | undefined> {
    const bytes = await this.#records.read(record, this.#limits.maxManifestBytes + 2 * MOST_IN_RECORD)
    if (bytes === undefined || bytes.length === 0) return undefined
    return readRecord(bytes, record, { key: this.#key, limits: this.#limits })
  }

  /** @throws SandboxIoError for what the file system met */
  #doing<T>(act: () => Promise<T>): Promise<T> {
    return storing(this.#path, act)
  }
}

/** @throws SandboxConfigError for what is no fence */
function fenceIn(options: PutSnapshotOptions | DeleteSnapshotOptions): number | undefined {
  const { fence } = optionsOf<PutSnapshotOptions>(options, ['fence'])
  const range = { least: 0, most: Number.MAX_SAFE_INTEGER, isWhole: true }
  return fence === undefined ? undefined : within('fence', fence, range)
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
