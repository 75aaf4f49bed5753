import { createHash, type Hash } from 'node:crypto'
import { constants } from 'node:fs'
import { access, type FileHandle, lstat, open, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { closing } from '../../async/closing.ts'
import { errorCode } from '../../sandbox/error-code.ts'
import { errorMessage } from '../../sandbox/kinds.ts'
import { ensurePrivateDirectory } from './cache-directory.ts'
import { assertOwnFile, openUnlinked, PREFIX, TEMPORARY, temporaryName } from './cache-files.ts'
import { CHECK_HOLDS_MS, CHECK_SUFFIX, CopyCheck } from './copy-check.ts'
import { VER_FLG_WEAK, type VersionRequirement } from './elf.ts'
import { chunksOf, writeFully } from './file-chunks.ts'

/** What to copy, what to change in it, and where to keep it. */
export interface WeakCopyRequest {
  /** The addon, open for reading. The handle stays the caller's. */
  readonly source: FileHandle
  /** The requirements to mark as weak: those the machine does not meet. */
  readonly requirements: readonly VersionRequirement[]
  /** Directories to keep the copy in: the first that works is used. */
  readonly directories: readonly string[]
}

/** A directory that could not hold the copy, and why. */
export interface FailedDirectory {
  readonly directory: string
  readonly reason: string
}

/** No directory could hold the copy. */
export class WeakCopyError extends AggregateError {
  override readonly name = 'WeakCopyError'
  readonly failed: readonly FailedDirectory[]

  constructor(failed: readonly (FailedDirectory & { readonly error: unknown })[]) {
    super(
      failed.map(({ error }) => error),
      failed.map(({ directory, reason }) => `${directory}: ${reason}`).join('; '),
    )
    this.failed = failed.map(({ directory, reason }) => ({ directory, reason }))
  }
}

/** Its writer may live in another container, where its process id says nothing. */
const STALE_AFTER_MS = 60 * 60 * 1000
/** After this long without a write, a copy whose process is gone has no writer elsewhere either. */
const ORPHAN_AFTER_MS = 10 * 1000

const REMOVAL_FAILS: ReadonlySet<string> = new Set(['ENOENT', 'EROFS', 'EACCES', 'EPERM'])

/**
 * A private copy of an addon in which version requirements are weak, so that it loads on an older
 * glibc. A good copy is used again, a bad one replaced; any number of processes may do so at once. The two files
 * are compared unless they were less than a day ago and are the same files still.
 * Reads and writes in chunks, off the event loop.
 * @throws WeakCopyError if no directory can hold it.
 */
export async function ensureWeakCopy(request: WeakCopyRequest): Promise<string> {
  const copy = new WeakCopy(request)
  const failed: (FailedDirectory & { error: unknown })[] = []
  for (const directory of request.directories) {
    try {
      return await copy.ensureIn(await ensurePrivateDirectory(directory))
    } catch (error) {
      failed.push({ directory, reason: errorMessage(error), error })
    }
  }
  throw new WeakCopyError(failed)
}

class WeakCopy {
  readonly #source: FileHandle
  #hash: string | undefined
  /** Offsets of the bytes that hold a `VER_FLG_WEAK` bit to set. */
  readonly #flagBytes: readonly number[]

  constructor({ source, requirements }: WeakCopyRequest) {
    this.#source = source
    this.#flagBytes = requirements.map((requirement) => requirement.flagsOffset)
  }

  async ensureIn(directory: string): Promise<string> {
    await removeStale(directory)
    const addon = await this.#source.stat({ bigint: true })
    const check = new CopyCheck(directory, addon, this.#flagBytes)
    const path = (await check.find()) ?? (await this.#compared(directory, check))
    // A regular file cannot be executed, and so not be loaded, from a file system mounted `noexec`.
    await access(path, constants.X_OK)
    return path
  }

  async #compared(directory: string, check: CopyCheck): Promise<string> {
    this.#hash ??= await sha256(this.#source)
    const name = `${PREFIX}${this.#hash}.node`
    const path = join(directory, name)
    if (!(await this.#isGood(path, name, check))) await this.#make(directory, path)
    return path
  }

  async #isGood(path: string, name: string, check: CopyCheck): Promise<boolean> {
    let copy: FileHandle
    try {
      copy = await openUnlinked(path)
    } catch {
      // Missing, a link or unreadable: it is made anew, and what is wrong then shows.
      return false
    }
    return closing(copy, async () => {
      const before = await copy.stat({ bigint: true })
      try {
        assertOwnFile(before)
      } catch {
        // Somebody else could have written it, or still can: replaced like any other bad copy.
        return false
      }
      if (!(await this.#sameBytes(copy))) return false
      const after = await copy.stat({ bigint: true })
      await check.keep(name, { before, after }, await this.#source.stat({ bigint: true }))
      return true
    })
  }

  async #sameBytes(copy: FileHandle): Promise<boolean> {
    const theirs = chunksOf(copy)
    for await (const expected of this.#chunks()) {
      const found = await theirs.next()
      if (found.done === true || !expected.equals(found.value.bytes)) return false
    }
    return (await theirs.next()).done === true
  }

  async #make(directory: string, path: string): Promise<void> {
    const temporary = join(directory, temporaryName())
    try {
      await this.#write(temporary)
      await rename(temporary, path)
    } catch (error) {
      await rm(temporary, { force: true })
      throw error
    }
  }

  async #write(path: string): Promise<void> {
    await closing(await open(path, 'wx', 0o700), async (target) => {
      await target.chmod(0o700)
      const hash = createHash('sha256')
      for await (const bytes of this.#chunks(hash)) await writeFully(target, bytes)
      if (hash.digest('hex') !== this.#hash) throw new Error('the addon changed while it was copied')
      await target.sync()
    })
  }

  /** The source's bytes with the flags set. Each chunk is valid until the next is asked for. */
  async *#chunks(hash?: Hash): AsyncGenerator<Buffer> {
    for await (const { offset, bytes } of chunksOf(this.#source)) {
      hash?.update(bytes)
      for (const at of this.#flagBytes) {
        const byte = bytes[at - offset]
        if (byte !== undefined) bytes[at - offset] = byte | VER_FLG_WEAK
      }
      yield bytes
    }
  }
}

/** Removes comparisons that hold no more, and what processes that were killed while they wrote have left. */
async function removeStale(directory: string): Promise<void> {
  for (const name of await readdir(directory)) {
    const limit = ageLimit(name)
    if (limit === undefined) continue
    const path = join(directory, name)
    try {
      const age = Date.now() - (await lstat(path)).mtimeMs
      if (age > limit) await rm(path, { force: true })
    } catch (error) {
      // Another process was faster, or the directory is read-only.
      if (!REMOVAL_FAILS.has(errorCode(error) ?? '')) throw error
    }
  }
}

/** Milliseconds after its last write when a file is removed; undefined for what is kept. */
function ageLimit(name: string): number | undefined {
  if (name.startsWith(PREFIX) && name.endsWith(CHECK_SUFFIX)) return CHECK_HOLDS_MS
  if (!name.startsWith(`.${PREFIX}`) || !name.endsWith(TEMPORARY)) return undefined
  return isRunning(Number.parseInt(name.slice(`.${PREFIX}`.length), 10)) ? STALE_AFTER_MS : ORPHAN_AFTER_MS
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return errorCode(error) !== 'ESRCH'
  }
}

async function sha256(source: FileHandle): Promise<string> {
  const hash = createHash('sha256')
  for await (const { bytes } of chunksOf(source)) hash.update(bytes)
  return hash.digest('hex')
}
