import { posix } from 'node:path'
import type { FileStat } from '../../contract/shell-api.ts'
import { SandboxIoError, SandboxPathNotFoundError } from '../../sandbox/errors.ts'
import type { FileInfo } from '../../sandbox/results.ts'
import { quote } from '../../sandbox/show-value.ts'

/** A file has content, a directory has none. */
interface Entry {
  readonly content?: Uint8Array
  readonly modified: number
}

/** Files and directories in memory, without links and permissions. Errors name the path as it was given. */
export class MemoryFiles {
  readonly cwd: string
  /** By absolute path, each after its directory. */
  readonly #entries = new Map<string, Entry>([['/', { modified: Date.now() }]])

  /** @param cwd - where relative paths begin: absolute. It is made. */
  constructor(cwd: string) {
    this.cwd = posix.resolve('/', cwd)
    for (const path of ['/tmp', this.cwd]) this.makeDirectory(path)
  }

  absolute(path: string): string {
    return posix.resolve(this.cwd, path)
  }

  exists(path: string): boolean {
    return this.#entries.has(this.absolute(path))
  }

  stat(path: string): FileStat {
    const { content, modified } = this.#entry(path)
    return content === undefined
      ? { kind: 'directory', size: 0, mode: 0o755, modified }
      : { kind: 'file', size: content.byteLength, mode: 0o644, modified }
  }

  read(path: string): Uint8Array {
    return new Uint8Array(this.#file(path, this.#entry(path)))
  }

  list(path: string): FileInfo[] {
    if (this.#entry(path).content !== undefined) throw missing(path, 'is not a directory')
    const at = this.absolute(path)
    return this.#below(at)
      .filter(([below]) => posix.dirname(below) === at)
      .map(([below, { content }]) => ({
        name: posix.basename(below),
        isDir: content === undefined,
        ...(content === undefined ? {} : { size: content.byteLength }),
      }))
  }

  write(path: string, content: Uint8Array): void {
    const at = this.absolute(path)
    const there = this.#entries.get(at)
    if (there !== undefined) this.#file(path, there)
    this.#makeParents(path)
    this.#entries.set(at, { content: new Uint8Array(content), modified: Date.now() })
  }

  append(path: string, content: Uint8Array): void {
    this.write(path, Buffer.concat([this.exists(path) ? this.read(path) : new Uint8Array(), content]))
  }

  makeDirectory(path: string): void {
    const there = this.#entries.get(this.absolute(path))
    if (there?.content !== undefined) throw refused(path, 'is a file')
    this.#makeParents(path)
    if (there === undefined) this.#entries.set(this.absolute(path), { modified: Date.now() })
  }

  remove(path: string, recursive: boolean): void {
    const { content } = this.#entry(path)
    if (content === undefined && !recursive) throw refused(path, 'is a directory')
    this.#take(this.absolute(path))
  }

  move(from: string, to: string): void {
    const [source, target] = this.#place(from, to)
    if (source !== target) this.#put(this.#take(source), source, target)
  }

  copy(from: string, to: string): void {
    const [source, target] = this.#place(from, to)
    this.#put([[source, this.#entry(from)], ...this.#below(source)], source, target)
  }

  #entry(path: string): Entry {
    const entry = this.#entries.get(this.absolute(path))
    if (entry === undefined) throw missing(path, 'does not exist')
    return entry
  }

  #file(path: string, { content }: Entry): Uint8Array {
    if (content === undefined) throw refused(path, 'is a directory')
    return content
  }

  #below(directory: string): [string, Entry][] {
    const start = directory === '/' ? '/' : `${directory}/`
    return [...this.#entries].filter(([path]) => path !== '/' && path.startsWith(start))
  }

  #makeParents(path: string): void {
    const parts = posix.dirname(this.absolute(path)).split('/').slice(1)
    for (const index of parts.keys()) {
      const parent = `/${parts.slice(0, index + 1).join('/')}`
      const there = this.#entries.get(parent)
      if (there?.content !== undefined) throw missing(path, 'is below a file')
      if (there === undefined) this.#entries.set(parent, { modified: Date.now() })
    }
  }

  /** The absolute paths of a move or a copy that may be made, with the directories that lead to the second. */
  #place(from: string, to: string): readonly [string, string] {
    const [source, target] = [this.absolute(from), this.absolute(to)]
    const { content } = this.#entry(from)
    const there = this.#entries.get(target)
    if (there !== undefined && (content === undefined || there.content === undefined))
      throw refused(to, 'is there already')
    if (content === undefined && target.startsWith(`${source}/`))
      throw refused(to, `is inside ${quote(from)}`)
    this.#makeParents(to)
    return [source, target]
  }

  #take(path: string): [string, Entry][] {
    const taken = [...this.#entries].filter(([at]) => at === path || at.startsWith(`${path}/`))
    for (const [at] of taken) this.#entries.delete(at)
    return taken
  }

  #put(entries: readonly (readonly [string, Entry])[], source: string, target: string): void {
    for (const [path, entry] of entries) this.#entries.set(target + path.slice(source.length), entry)
  }
}

function missing(path: string, why: string): SandboxPathNotFoundError {
  return new SandboxPathNotFoundError(`${quote(path)} ${why}.`, { path })
}

function refused(path: string, why: string): SandboxIoError {
  return new SandboxIoError(`${quote(path)} ${why}.`, { path })
}
