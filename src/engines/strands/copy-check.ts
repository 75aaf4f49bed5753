import { createHash } from 'node:crypto'
import type { BigIntStats } from 'node:fs'
import { rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { closing } from '../../async/closing.ts'
import { isRecord } from '../../sandbox/is-record.ts'
import { assertOwnFile, openUnlinked, PREFIX, temporaryName } from './cache-files.ts'

/** The names of the files that hold comparisons end so. */
export const CHECK_SUFFIX = '.checked'
/** Milliseconds for which a comparison holds. */
export const CHECK_HOLDS_MS = 24 * 60 * 60 * 1000
/** A file that has changed in the last milliseconds may change again within the same tick of its file system's clock. */
const SETTLED_AFTER_MS = 3000

const COPY_NAME = /^strands-shell\.[0-9a-f]{64}\.node$/

interface KeptCheck {
  /** The name of the copy. */
  readonly copy: string
  readonly identity: string
  /** When the comparison began, in milliseconds of the system's clock. */
  readonly at: number
}

/**
 * What is kept of the last comparison of an addon with its copy, beside the copy: the copy's name, and the identity that it
 * had. While both files are those still, they need no further comparison. A write changes the time of change (`ctime`), and
 * no call sets that time.
 */
export class CopyCheck {
  readonly #directory: string
  readonly #addon: string
  readonly #path: string
  readonly #began = Date.now()
  readonly #addonChanged: number

  /**
   * @param directory - of the copy: private, without symbolic links.
   * @param addon - the addon as it is now.
   * @param changes - what of the addon is different in the copy.
   */
  constructor(directory: string, addon: BigIntStats, changes: readonly number[]) {
    this.#addon = identityOf(addon)
    this.#addonChanged = Number(addon.ctimeMs)
    const key = createHash('sha256')
      .update(`${this.#addon} ${changes.join(' ')}`)
      .digest('hex')
    this.#directory = directory
    this.#path = join(directory, `${PREFIX}${key}${CHECK_SUFFIX}`)
  }

  /** The path of the copy that was compared with this addon less than a day ago and has not changed since. */
  async find(): Promise<string | undefined> {
    try {
      const { copy, identity, at } = await this.#read()
      const age = Date.now() - at
      if (!COPY_NAME.test(copy) || age < 0 || age > CHECK_HOLDS_MS) return undefined
      const path = join(this.#directory, copy)
      const found = await openUnlinked(path)
      const stat = await closing(found, () => found.stat({ bigint: true }))
      assertOwnFile(stat)
      return identityOf(stat) === identity ? path : undefined
    } catch {
      // Nothing is kept, or it is not to be trusted: the files are compared, and what is wrong then shows.
      return undefined
    }
  }

  /**
   * Keeps that addon and copy were the same, unless one of them changed shortly before this was made, or since.
   *
   * @param name - of the copy.
   * @param copy - the copy before and after it was compared.
   * @param addon - the addon after that.
   */
  async keep(
    name: string,
    copy: { readonly before: BigIntStats; readonly after: BigIntStats },
    addon: BigIntStats,
  ): Promise<void> {
    const identity = identityOf(copy.before)
    const changed = Math.max(this.#addonChanged, Number(copy.before.ctimeMs))
    if (identity !== identityOf(copy.after) || this.#addon !== identityOf(addon)) return
    if (changed > this.#began - SETTLED_AFTER_MS) return
    const kept: KeptCheck = { copy: name, identity, at: this.#began }
    const temporary = join(this.#directory, temporaryName())
    try {
      await writeFile(temporary, JSON.stringify(kept), { flag: 'wx', mode: 0o600 })
      await rename(temporary, this.#path)
    } catch {
      // The directory is read-only or full: the next process compares again.
      await rm(temporary, { force: true }).catch(() => undefined)
    }
  }

  async #read(): Promise<KeptCheck> {
    const file = await openUnlinked(this.#path)
    const text = await closing(file, async () => {
      assertOwnFile(await file.stat({ bigint: true }))
      return file.readFile('utf8')
    })
    const kept: unknown = JSON.parse(text)
    if (isRecord(kept)) {
      const { copy, identity, at } = kept
      if (typeof copy === 'string' && typeof identity === 'string' && typeof at === 'number')
        return { copy, identity, at }
    }
    throw new Error('is not what is kept of a comparison')
  }
}

/** What differs between a file and another one, and between a file and what is later written to it. */
function identityOf({ dev, ino, size, mode, uid, mtimeNs, ctimeNs }: BigIntStats): string {
  return [dev, ino, size, mode, uid, mtimeNs, ctimeNs].join(' ')
}
