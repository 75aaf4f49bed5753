import { unlikePinned } from '../just-bash.ts'
/** What just-bash 3.4.2 keeps of one path. The field is private in its types; a test holds it to this shape. */
export type FsEntry =
  | {
      readonly type: 'file'
      readonly content?: unknown
      readonly lazy?: unknown
      mode: number
      mtime: Date
    }
  | { readonly type: 'directory'; mode: number; mtime: Date }
  | { readonly type: 'symlink'; readonly target: string; mode: number; mtime: Date }

/** The entries of a file system by path, which note each path that is set or deleted. */
export class NotedEntries extends Map<string, FsEntry> {
  /** The paths of a fresh file system. */
  readonly fresh: ReadonlySet<string>
  #changed = new Set<string>()

  constructor(entries: ReadonlyMap<string, FsEntry>) {
    super()
    for (const [path, entry] of entries) super.set(path, entry)
    this.fresh = new Set(entries.keys())
  }

  override set(path: string, entry: FsEntry): this {
    // It is read for the first time.
    const before = this.get(path)
    const isRead = before !== undefined && 'lazy' in before && before.mtime === entry.mtime
    if (!isRead) this.#changed.add(path)
    return super.set(path, entry)
  }

  override delete(path: string): boolean {
    this.#changed.add(path)
    return super.delete(path)
  }

  /** A path of which something was changed in place. */
  note(path: string): void {
    this.#changed.add(path)
  }

  /** The paths that were set, deleted or noted since the last time. */
  take(): ReadonlySet<string> {
    const changed = this.#changed
    if (changed.size > 0) this.#changed = new Set()
    return changed
  }
}

function isEntries(value: unknown): value is Map<string, FsEntry> {
  if (!(value instanceof Map)) return false
  const root: unknown = value.get('/')
  return typeof root === 'object' && root !== null && 'type' in root && root.type === 'directory'
}

/**
 * From now on the changes of a file system are noted: what it has now is what a fresh one has.
 *
 * @throws {TypeError} where this is not the pinned version of just-bash.
 */
export function noteEntries(fs: object): NotedEntries {
  const data: unknown = Reflect.get(fs, 'data')
  if (!isEntries(data)) throw unlikePinned('keeps its files')
  const noted = new NotedEntries(data)
  Reflect.set(fs, 'data', noted)
  return noted
}
