import type { IFileSystem, JustBash } from '../just-bash.ts'
import { textOf } from '../text/bytes.ts'
import { isPartOfShell } from '../transform/inner-command.ts'
import { isConnection } from './devices.ts'
import { FileError, fileError } from './file-error.ts'
import type { MemoryFs } from './memory-fs.ts'
import { MemoryVolume } from './memory-volume.ts'
import { type Mount, Namespace, type Spot } from './namespace.ts'
import type { Refuse } from './refusal.ts'
import type { Node } from './volume.ts'

type Operations = Required<IFileSystem>

/** What the file system of a sandbox with mounts is made of. */
export interface MountedFilesOptions {
  readonly memory: MemoryFs
  readonly mounts: readonly Mount[]
  /** Bytes. */
  readonly maxFileSize: number
  /** Bytes that a file of a mount may have to be read as text. */
  readonly maxText: number
  /** Called for each file of a tree that is copied or removed; it throws where the command must end. */
  readonly step: () => void
  readonly refuse: Refuse
  readonly asBytes: JustBash['unsafeBytesFromLatin1']
}

/** What a file system with mounts does without changing anything. */
export abstract class MountedReads {
  protected readonly options: MountedFilesOptions
  protected readonly memory: MemoryFs
  protected readonly names: Namespace
  readonly #base: MemoryVolume

  constructor(options: MountedFilesOptions) {
    this.options = options
    this.memory = options.memory
    this.#base = new MemoryVolume(options.memory)
    this.names = new Namespace(this.#base, options.mounts)
  }

  readFile(path: string, options?: Parameters<IFileSystem['readFile']>[1]): Promise<string> {
    return this.run('open', path, true, async (spot) => {
      if (this.isMemory(spot)) return this.memory.readFile(spot.path, options)
      const content = await this.#readText(spot)
      const encoding = encodingOf(options)
      return encoding === 'utf8' || encoding === 'utf-8' ? textOf(content) : content.toString(encoding)
    })
  }

  readFileBytes(path: string): ReturnType<Operations['readFileBytes']> {
    return this.run('open', path, true, async (spot) => {
      if (this.isMemory(spot) && this.memory.readFileBytes !== undefined)
        return this.memory.readFileBytes(spot.path)
      return this.options.asBytes((await this.#readText(spot)).toString('latin1'))
    })
  }

  readFileBuffer(path: string): Promise<Uint8Array> {
    return this.run('open', path, true, async (spot) => {
      if (this.isMemory(spot)) return this.memory.readFileBuffer(spot.path)
      if (present(spot, 'open').kind === 'directory') throw new FileError('EISDIR', 'read', path)
      return spot.volume.read(spot.rel)
    })
  }

  async exists(path: string): Promise<boolean> {
    if (isPartOfShell(path) || isConnection(path)) return true
    try {
      return (await this.names.walk(path, true)).node !== undefined
    } catch {
      // As for the system's own test: whatever is in the way, the path leads to nothing.
      return false
    }
  }

  async stat(path: string): ReturnType<IFileSystem['stat']> {
    if (isPartOfShell(path)) return this.memory.stat(path)
    return this.run('stat', path, true, async (spot) => statOf(present(spot, 'stat')))
  }

  lstat(path: string): ReturnType<IFileSystem['stat']> {
    return this.run('lstat', path, false, async (spot) => statOf(present(spot, 'lstat')))
  }

  async readdir(path: string): Promise<string[]> {
    return (await this.readdirWithFileTypes(path)).map(({ name }) => name)
  }

  readdirWithFileTypes(path: string): ReturnType<Operations['readdirWithFileTypes']> {
    return this.run('scandir', path, true, async (spot) => {
      const { kind } = present(spot, 'scandir')
      if (kind !== 'directory') throw new FileError('ENOTDIR', 'scandir', path)
      const ways = this.names.ways(spot.path)
      const exists = ways.length === 0 || (await spot.volume.look(spot.rel))?.kind === 'directory'
      const entries = new Map(exists ? await spot.volume.list(spot.rel) : [])
      for (const name of ways)
        entries.set(name, await this.#kindAt(`${spot.path === '/' ? '' : spot.path}/${name}`))
      return [...entries]
        .map(([name, found]) => ({
          name,
          isFile: found.kind === 'file',
          isDirectory: found.kind === 'directory',
          isSymbolicLink: found.kind === 'link',
        }))
        .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
    })
  }

  resolvePath(base: string, path: string): string {
    return this.memory.resolvePath(base, path)
  }

  getAllPaths(): string[] {
    return this.memory.getAllPaths()
  }

  readlink(path: string): Promise<string> {
    return this.run('readlink', path, false, async (spot) => {
      const { target } = present(spot, 'readlink')
      if (target === undefined) throw new FileError('EINVAL', 'readlink', path)
      return target
    })
  }

  realpath(path: string): Promise<string> {
    return this.run('realpath', path, true, async (spot) => {
      present(spot, 'realpath')
      return spot.path
    })
  }

  /** Acts on where a path leads. Errors of volumes get the path in the sandbox. */
  protected async run<T>(
    operation: string,
    path: string,
    follow: boolean,
    act: (spot: Spot) => Promise<T>,
  ): Promise<T> {
    try {
      if (path.includes('\0')) throw new FileError('ENOENT', operation, path)
      return await act(await this.names.walk(path, follow))
    } catch (error) {
      const failure = fileError(error, operation, path)
      throw failure instanceof FileError ? this.options.refuse(failure) : failure
    }
  }

  protected isMemory({ volume }: Spot): boolean {
    return volume === this.#base
  }

  async #kindAt(path: string): Promise<Pick<Node, 'kind'>> {
    // A bind whose source is gone is still a name in its directory.
    const spot = await this.names.walk(path, false).catch(() => undefined)
    return { kind: spot?.node?.kind ?? 'directory' }
  }

  async #readText(spot: Spot): Promise<Buffer> {
    const { kind, size } = present(spot, 'open')
    if (kind === 'directory') throw new FileError('EISDIR', 'read', spot.path)
    if (size > this.options.maxText) throw new FileError('EFBIG', 'read', spot.path)
    const bytes = await spot.volume.read(spot.rel)
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }
}

export function present(spot: Spot, operation: string): Node {
  if (spot.node === undefined) throw new FileError('ENOENT', operation, spot.path)
  return spot.node
}

function statOf({
  kind,
  mode,
  size,
  modified: mtime,
  identity,
}: Node): Awaited<ReturnType<IFileSystem['stat']>> {
  return {
    isFile: kind === 'file',
    isDirectory: kind === 'directory',
    isSymbolicLink: kind === 'link',
    mode,
    size,
    mtime,
    ...(identity === undefined ? {} : { identity }),
  }
}

export function encodingOf(options: Parameters<IFileSystem['readFile']>[1]): BufferEncoding {
  return (typeof options === 'string' ? options : options?.encoding) ?? 'utf8'
}
