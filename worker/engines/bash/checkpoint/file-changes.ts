import {
  type CheckpointContent,
  type CheckpointEntry,
  FILE_KEY,
  type FileFact,
  GONE,
} from '../../../../src/contract/checkpoint.ts'
import type { IFileSystem } from '../just-bash.ts'
import { unlikePinned } from '../just-bash.ts'
import { type FsEntry, type NotedEntries, noteEntries } from './noted-entries.ts'
import { parseFact } from './parse-fact.ts'
import type { SentContents } from './sent-contents.ts'

/** What is in these the system makes. */
const SYSTEM = /^\/(dev|proc)\//

/** What has changed of files, as facts of a checkpoint. */
export interface FileFacts {
  readonly contents: CheckpointContent[]
  readonly entries: CheckpointEntry[]
  readonly forgotten: string[]
}

/** Tells which files differ from those of a fresh file system. Bytes that the host has are not sent again. */
export class FileChanges {
  readonly #fs: IFileSystem
  readonly #entries: NotedEntries
  /** The paths of the checkpoint, with the bytes of those that are files. */
  readonly #told = new Map<string, Uint8Array | undefined>()
  readonly #sent: SentContents
  readonly #programs: ReadonlySet<string>

  /** What the file system has now is what a fresh one has. @param programs - paths that are never told unless they change. */
  constructor(fs: IFileSystem, programs: ReadonlySet<string>, sent: SentContents) {
    this.#fs = fs
    this.#programs = programs
    this.#sent = sent
    this.#entries = noteEntries(fs)
  }

  /** Undefined where nothing has changed since the last time. */
  async take(): Promise<FileFacts | undefined> {
    const changed = this.#entries.take()
    if (changed.size === 0) return undefined
    const facts: FileFacts = { contents: [], entries: [], forgotten: [] }
    const released: Uint8Array[] = []
    for (const path of changed) {
      const before = this.#told.get(path)
      const wasTold = this.#told.delete(path)
      if (before !== undefined) released.push(before)
      await this.#tell(path, wasTold, facts)
    }
    for (const bytes of released) this.#sent.release(bytes)
    return facts
  }

  /** Puts a fact of a checkpoint into a fresh file system. */
  restore({ key, value, content }: CheckpointEntry, contents: ReadonlyMap<number, Uint8Array>): void {
    const path = key.slice(FILE_KEY.length)
    if (value === GONE) {
      this.#act('deleteEntry', path)
      this.#told.set(path, undefined)
      return
    }
    const { type, mode, modified, target } = parseFact(value)
    const bytes = content === undefined ? undefined : contents.get(content)
    const mtime = new Date(modified)
    if (type === 'file' && bytes !== undefined && content !== undefined) {
      this.#act('setEntry', path, { type, content: bytes, mode, mtime })
      this.#sent.hold(bytes, content)
    } else if (type === 'symlink') this.#act('setEntry', path, { type, target, mode, mtime })
    else if (type === 'directory') this.#act('setEntry', path, { type, mode, mtime })
    else throw new TypeError(`The checkpoint has no content of ${path}.`)
    this.#told.set(path, bytes)
  }

  /** What was restored is known to the host. */
  restored(): void {
    this.#entries.take()
  }

  /** Has what a fresh file system has told as well, without programs, `/dev` and `/proc`. */
  tellAll(): void {
    for (const path of this.#entries.fresh) {
      const isOfEveryShell = this.#programs.has(path) || SYSTEM.test(path)
      if (!isOfEveryShell && !this.#told.has(path)) this.#entries.note(path)
    }
  }

  /** Something of a path was changed in place. */
  note(path: string): void {
    this.#entries.note(path)
  }

  async #tell(path: string, wasTold: boolean, { contents, entries, forgotten }: FileFacts): Promise<void> {
    const key = FILE_KEY + path
    const entry = this.#entries.get(path)
    if (entry === undefined) {
      if (this.#entries.fresh.has(path)) {
        this.#told.set(path, undefined)
        entries.push({ key, value: GONE })
      } else if (wasTold) forgotten.push(key)
      return
    }
    const value = factOf(entry)
    if (entry.type !== 'file') {
      this.#told.set(path, undefined)
      entries.push({ key, value })
      return
    }
    const bytes = entry.content instanceof Uint8Array ? entry.content : await this.#fs.readFileBuffer(path)
    this.#told.set(path, bytes)
    const id = this.#sent.numberOf(bytes, contents)
    entries.push({ key, value, content: id })
  }

  /** Calls a method that keeps count of the bytes; it is private in just-bash's types. */
  #act(method: 'setEntry' | 'deleteEntry', path: string, entry?: FsEntry): void {
    const act: unknown = Reflect.get(this.#fs, method)
    if (typeof act !== 'function') throw unlikePinned('keeps its files')
    act.call(this.#fs, path, entry)
  }
}

function factOf(entry: FsEntry): string {
  const modified = entry.mtime.getTime()
  return JSON.stringify({
    type: entry.type,
    mode: entry.mode,
    modified: Number.isFinite(modified) ? modified : 0,
    ...(entry.type === 'symlink' ? { target: entry.target } : {}),
  } satisfies FileFact)
}
