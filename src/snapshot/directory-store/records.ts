import { rm, rmdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { errorCode } from '../../sandbox/error-code.ts'
import { StaleFenceError } from '../../sandbox/errors.ts'
import { quote } from '../../sandbox/show-value.ts'
import { addFile, makeFolder, namesIn, orMissing, putFile, readBytes, syncFolder } from './files.ts'
import { idOfName, nameOfId } from './ids.ts'

/** Times that a folder is made again which another process removes. */
const MOST_TRIES = 20

/** Digits of the greatest fence. */
const DIGITS = 16

/** A record of an id: a file that is named by its fence. One that is empty says that the snapshot was deleted. */
export interface RecordFile {
  readonly id: string
  readonly fence: number
  readonly path: string
}

/** The records of a store: a folder an id, in it a file a fence. The highest counts; others are left over. */
export class Records {
  readonly root: string
  readonly #temporary: string

  constructor(root: string, temporary: string) {
    this.root = join(root, 'snapshots')
    this.#temporary = temporary
  }

  /** The records of an id, the highest first. */
  async of(id: string): Promise<readonly RecordFile[]> {
    const folder = join(this.root, nameOfId(id))
    return (await namesIn(folder))
      .filter((name) => /^\d{16}$/.test(name))
      .sort()
      .reverse()
      .map((name) => ({ id, fence: Number(name), path: join(folder, name) }))
  }

  /** The ids that have records. */
  async ids(): Promise<readonly string[]> {
    return (await namesIn(this.root)).flatMap((name) => idOfName(name) ?? [])
  }

  /**
   * Adds a record and removes those below it: two processes cannot both add the same fence, and who sees a higher one takes its
   * own back.
   *
   * @throws StaleFenceError where there is the same fence or a higher one
   */
  async add(id: string, fence: number, parts: readonly Uint8Array[]): Promise<void> {
    const folder = join(this.root, nameOfId(id))
    const path = join(folder, String(fence).padStart(DIGITS, '0'))
    refuseStale(id, fence, await this.of(id))
    await this.#link(folder, path, parts, { id, fence })
    await syncFolder(folder)
    await syncFolder(this.root)
    const records = await this.of(id)
    const [highest] = records
    for (const one of records) if (one.fence < (highest?.fence ?? 0)) await rm(one.path, { force: true })
    if (highest !== undefined && highest.fence > fence) throw stale(id, fence, highest.fence)
  }

  /**
   * Leaves of an id nothing but its fence. What is added meanwhile stays: it is above the record that is emptied.
   *
   * @throws StaleFenceError where there is a record above `most`
   */
  async empty(id: string, most = Number.POSITIVE_INFINITY): Promise<void> {
    const [highest] = await this.of(id)
    if (highest === undefined) return
    if (highest.fence > most) throw staleDelete(id, most, highest.fence)
    const emptied = putFile(this.#temporary, highest.path, []).then(() => syncFolder(dirname(highest.path)))
    // Who collects may have removed the folder: nothing was in it any more.
    await orMissing(emptied, undefined)
  }

  /** The bytes of a record; undefined where it is missing. */
  read({ path }: RecordFile, most: number): Promise<Uint8Array<ArrayBuffer> | undefined> {
    return readBytes(path, most)
  }

  /** When a record was written, and whether it is empty; undefined where it is missing. */
  async look({
    path,
  }: RecordFile): Promise<{ readonly modified: Date; readonly isEmpty: boolean } | undefined> {
    const found = await orMissing(stat(path), undefined)
    return found && { modified: found.mtime, isEmpty: found.size === 0 }
  }

  /** Removes a record, and the folder of its id where it is empty then. */
  async remove({ id, path }: RecordFile): Promise<void> {
    await rm(path, { force: true })
    await rmdir(join(this.root, nameOfId(id))).catch((error: unknown) => {
      if (!['ENOTEMPTY', 'ENOENT'].includes(errorCode(error) ?? '')) throw error
    })
  }

  /** Who collects may remove the folder that was just made. */
  async #link(
    folder: string,
    path: string,
    parts: readonly Uint8Array[],
    { id, fence }: Pick<RecordFile, 'id' | 'fence'>,
  ): Promise<void> {
    const link = async () => {
      await makeFolder(folder)
      return addFile(this.#temporary, path, parts)
    }
    for (let tries = 1; ; tries += 1) {
      const isAdded = tries < MOST_TRIES ? await orMissing(link(), undefined) : await link()
      if (isAdded === undefined) continue
      if (!isAdded) throw stale(id, fence, fence)
      return
    }
  }
}

function refuseStale(id: string, fence: number, [highest]: readonly RecordFile[]): void {
  if (highest !== undefined && highest.fence >= fence) throw stale(id, fence, highest.fence)
}

function staleDelete(id: string, fence: number, seen: number): StaleFenceError {
  const message = `The snapshot of ${quote(id)} was not deleted: the store has seen the fence ${seen}, and ${fence} at most was to be deleted. Another process has the session.`
  return new StaleFenceError(message, { fence, seen })
}

function stale(id: string, fence: number, seen: number): StaleFenceError {
  return new StaleFenceError(
    `The snapshot of ${quote(id)} was not stored: its fence is ${fence}, and the store has seen ${seen}. Another process has the session.`,
    { fence, seen },
  )
}
