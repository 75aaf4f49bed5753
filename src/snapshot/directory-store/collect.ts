import { rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { digestsOf } from '../manifest.ts'
import type { Manifest } from '../manifest-schema.ts'
import type { ContentFiles } from './contents.ts'
import { eachOf, namesIn, orMissing } from './files.ts'
import type { RecordFile, Records } from './records.ts'

/** Milliseconds after which a file that is being written counts as left over, at least. */
const LONGEST_WRITE = 3_600_000
/** Milliseconds by which times of files may differ from the clock. */
const CLOCK = 10

/** What was removed. */
export interface CollectReport {
  /** Contents that no snapshot named. */
  readonly contents: number
  /** Bytes that they had. */
  readonly bytes: number
  /** Deleted ids whose fence is not known any more. */
  readonly ids: number
}

/** What is collected from. */
export interface Collected {
  readonly records: Records
  readonly contents: ContentFiles
  readonly temporary: string
  /** Reads a record. One that is missing or empty names nothing. */
  readonly manifestOf: (record: RecordFile) => Promise<Pick<Manifest, 'files'>>
}

/**
 * Removes contents that no snapshot names and that nobody has used for some time.
 *
 * A put marks its contents as used before it adds its record and again after. A content is moved away first and its mark is read
 * then: one that was marked before is moved back, one that is marked later is missed and written again.
 */
export async function collect(store: Collected, olderThan: number): Promise<CollectReport> {
  const start = Date.now()
  const before = start - olderThan * 1000 - CLOCK
  await removeLeftOver(store.temporary, Math.min(before, start - LONGEST_WRITE))
  const { ids, named } = await lookAtRecords(store, before)
  const { contents } = store
  const removed = { contents: 0, bytes: 0 }
  const remove = async (digest: string) => {
    const away = join(contents.trash, digest)
    const found = await orMissing(stat(away), undefined)
    if (found === undefined) return
    if (named.has(digest) || found.mtimeMs >= before) {
      await orMissing(rename(away, contents.pathOf(digest)), undefined)
      return
    }
    await rm(away, { force: true })
    removed.contents += 1
    removed.bytes += found.size
  }
  // What an earlier collection has left.
  await eachOf(await namesIn(contents.trash), remove)
  for await (const digest of contents.digests()) {
    if (named.has(digest)) continue
    const path = contents.pathOf(digest)
    const found = await orMissing(stat(path), undefined)
    if (found === undefined || found.mtimeMs >= before) continue
    await orMissing(rename(path, join(contents.trash, digest)), undefined)
    await remove(digest)
  }
  return { ...removed, ids }
}

/** Removes records of ids that were deleted before. @returns the digests that the others name */
async function lookAtRecords(
  { records, manifestOf }: Collected,
  before: number,
): Promise<{ readonly ids: number; readonly named: ReadonlySet<string> }> {
  const named = new Set<string>()
  let ids = 0
  await eachOf(await records.ids(), async (id) => {
    const [highest, ...replaced] = await records.of(id)
    // The highest goes last: without it a lower one would count again.
    for (const record of replaced) await records.remove(record)
    const found = highest && (await records.look(highest))
    if (highest === undefined || found === undefined) return
    if (!found.isEmpty) {
      for (const digest of digestsOf(await manifestOf(highest))) named.add(digest)
    } else if (found.modified.getTime() < before) {
      await records.remove(highest)
      ids += 1
    }
  })
  return { ids, named }
}

async function removeLeftOver(folder: string, before: number): Promise<void> {
  await eachOf(await namesIn(folder), async (name) => {
    const path = join(folder, name)
    const found = await orMissing(stat(path), undefined)
    if (found !== undefined && found.mtimeMs < before) await rm(path, { force: true })
  })
}
