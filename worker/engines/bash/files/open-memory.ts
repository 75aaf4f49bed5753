import { posix } from 'node:path'
import type { IFileSystem, JustBash } from '../just-bash.ts'
import { unlikePinned } from '../just-bash.ts'
import type { Bounds } from '../limits.ts'
import type { Protection } from '../rules/protection.ts'
import { innerPath, isInner, isPartOfShell } from '../transform/inner-command.ts'
import { isConnection, isEndless, SINKS, ZEROS } from './devices.ts'
import { FileError } from './file-error.ts'
import type { MemoryFs } from './memory-fs.ts'
import { bytesOf, isProgram, PROGRAM } from './program-files.ts'
import type { Refuse } from './refusal.ts'
import { noteRestoredLinks, placeOf, writtenPath } from './written-path.ts'

/** Bytes that one read of a device without end gives. */
const ENDLESS_BYTES = 65_536

const sizeOf = (content: string | Uint8Array) => content.length

const noConnection = (path: string) => new FileError('ENOENT', 'open', path)

const unlike = () => unlikePinned('keeps its files')

/** Nothing can be made there. */
const NOWHERE = '/dev/null/nothing'

/** The class is just-bash's, which is loaded late: hence a function that makes ours. */
export function openMemory(
  justBash: JustBash,
  { maxFileSystem: maxTotalBytes, maxFileSize }: Pick<Bounds, 'maxFileSystem' | 'maxFileSize'>,
  umask: number,
  refuse: Refuse,
  initialFiles: Readonly<Record<string, string>> = {},
): MemoryFs {
  const checkSize = (path: string, size: number) => {
    if (size > maxFileSize)
      throw new Error(`EFBIG: file too large, ${path} (maxFileSize is ${maxFileSize} bytes)`)
  }
  class Memory extends justBash.InMemoryFs implements MemoryFs {
    umask = umask
    /** What was made last, unless its mode was set since. */
    #made: string | undefined
    endlessCut = false
    protection: Protection | undefined
    onTouched: (path: string) => void = () => undefined
    #brought: Map<string, string> | undefined = new Map()
    /** Whether a link was ever made: looking for one takes longer than a write. */
    hasLinks = false

    override writeFileSync(
      ...[path, content, ...rest]: Parameters<InstanceType<JustBash['InMemoryFs']>['writeFileSync']>
    ): void {
      if (isProgram(path) && this.#brought !== undefined && typeof content === 'string')
        this.#brought.set(path, content)
      else super.writeFileSync(path, content, ...rest)
    }

    putPrograms(): void {
      const data: unknown = Reflect.get(this, 'data')
      if (!(data instanceof Map)) throw unlike()
      const mtime = new Date()
      for (const [path, text] of this.#brought ?? [])
        if (!isInner(innerPath(posix.basename(path))))
          data.set(path, { type: 'file', content: bytesOf(text), mode: 0o755, mtime })
      this.#brought = undefined
    }

    reserve(bytes: number): void {
      const most: unknown = Reflect.get(this, 'maxTotalBytes')
      const retained: unknown = Reflect.get(this, 'retainedBytes')
      if (typeof most !== 'number' || typeof retained !== 'number') throw unlike()
      if (bytes > most - retained)
        throw Object.assign(
          new Error(`ENOSPC: the files have more than ${maxTotalBytes} bytes (maxFileSystem)`),
          {
            code: 'ENOSPC',
          },
        )
      Reflect.set(this, 'maxTotalBytes', most - bytes)
    }

    override async readFileBuffer(path: string): Promise<Uint8Array> {
      if (!isEndless(path)) return super.readFileBuffer(path)
      this.endlessCut = true
      const bytes = new Uint8Array(ENDLESS_BYTES)
      return path === ZEROS ? bytes : crypto.getRandomValues(bytes)
    }

    override async readFileBytes(
      path: string,
    ): ReturnType<InstanceType<JustBash['InMemoryFs']>['readFileBytes']> {
      if (!isEndless(path)) return super.readFileBytes(path)
      return justBash.unsafeBytesFromLatin1(Buffer.from(await this.readFileBuffer(path)).toString('latin1'))
    }

    /** The empty path names nothing. */
    override resolvePath(base: string, path: string): string {
      return path === '' ? NOWHERE : super.resolvePath(base, path)
    }

    override async exists(path: string): Promise<boolean> {
      return isPartOfShell(path) || isConnection(path) || super.exists(path)
    }

    override async stat(path: string): ReturnType<IFileSystem['stat']> {
      return isPartOfShell(path) ? { ...PROGRAM, mtime: new Date(0) } : super.stat(path)
    }

    override async writeFile(...args: Parameters<IFileSystem['writeFile']>): Promise<void> {
      if (SINKS.has(args[0])) return
      if (isConnection(args[0])) throw noConnection(args[0])
      checkSize(args[0], sizeOf(args[1]))
      await this.#written(args[0], (path) => super.writeFile(path, args[1], args[2]))
    }

    override async appendFile(...args: Parameters<IFileSystem['appendFile']>): Promise<void> {
      if (SINKS.has(args[0])) return
      if (isConnection(args[0])) throw noConnection(args[0])
      const before = (await this.exists(args[0])) ? (await this.stat(args[0])).size : 0
      checkSize(args[0], before + sizeOf(args[1]))
      await this.#written(args[0], (path) => super.appendFile(path, args[1], args[2]))
    }

    override async mkdir(...[path, options]: Parameters<IFileSystem['mkdir']>): Promise<void> {
      const place = await this.#place(path)
      await this.#checkMade(place, options?.recursive === true)
      if (!(await super.exists(place))) await this.#checkAbove(place)
      await this.#created(place, () => super.mkdir(place, options), 0o777)
    }

    override async rm(...[path, options]: Parameters<IFileSystem['rm']>): Promise<void> {
      const place = await this.#place(path)
      this.#checkReplaced('rm', place)
      await super.rm(place, options)
    }

    override async cp(...[from, to, options]: Parameters<IFileSystem['cp']>): Promise<void> {
      if (this.protection !== undefined) {
        const place = await this.#place(to)
        if ((await this.lstat(from)).isSymbolicLink) this.#checkReplaced('cp', place)
        else this.#checkWritten('cp', place)
      }
      await this.#checkFolder(to, 'cp')
      await super.cp(from, to, options)
    }

    override async link(from: string, to: string): Promise<void> {
      this.#checkWritten('link', await this.#throughLinks(from))
      this.#checkReplaced('link', await this.#place(to))
      await super.link(from, to)
    }

    override async readlink(path: string): Promise<string> {
      return super.readlink(await this.#place(path))
    }

    override async chmod(path: string, mode: number): Promise<void> {
      const place = await this.#throughLinks(path)
      this.#checkWritten('chmod', place)
      await super.chmod(place, this.#isOpening(place, mode) ? mode & 0o7777 & ~this.umask : mode)
      this.onTouched(this.resolvePath('/', place))
    }

    override async readdir(path: string): Promise<string[]> {
      return super.readdir(await this.#place(path))
    }

    override async utimes(path: string, accessed: Date, modified: Date): Promise<void> {
      const place = await this.#throughLinks(path)
      this.#checkWritten('utimes', place)
      await super.utimes(place, accessed, modified)
      this.onTouched(await this.realpath(path))
    }

    override async mv(from: string, to: string): Promise<void> {
      await this.#checkFolder(to, 'mv')
      const [source, target] = [await this.#place(from), await this.#place(to)]
      if (target.startsWith(`${source}/`)) throw refuse(new FileError('EINVAL', 'rename', to))
      this.#checkReplaced('rename', source)
      this.#checkReplaced('rename', target)
      await super.mv(source, target)
    }

    override async symlink(target: string, path: string): Promise<void> {
      await this.#checkFolder(path, 'symlink')
      const place = await this.#place(path)
      this.#checkReplaced('symlink', place)
      this.hasLinks = true
      await super.symlink(target, place)
    }

    /** What python makes has the mode that it asked for next, whatever the mask is: it is told with the bits of a kind. */
    #isOpening(path: string, mode: number): boolean {
      const isMade = path === this.#made
      this.#made = undefined
      return isMade && mode > 0o7777
    }

    #checkWritten(operation: string, path: string): void {
      this.protection?.write(operation, this.resolvePath('/', path))
    }

    #checkReplaced(operation: string, path: string): void {
      this.protection?.replace(operation, this.resolvePath('/', path))
    }

    /** Each directory that is made. */
    async #checkMade(path: string, recursive: boolean): Promise<void> {
      if (this.protection === undefined) return
      for (let at = this.resolvePath('/', path); !(await super.exists(at)); at = posix.dirname(at)) {
        this.#checkWritten('mkdir', at)
        if (!recursive) return
      }
    }

    async #throughLinks(path: string): Promise<string> {
      if (!this.hasLinks) return path
      return writtenPath(path, this).catch((error: unknown) => {
        throw error instanceof FileError ? refuse(error) : error
      })
    }

    async #place(path: string): Promise<string> {
      return this.hasLinks ? placeOf(path, this) : path
    }

    async #written(written: string, act: (path: string) => Promise<void>): Promise<void> {
      const path = await this.#throughLinks(written)
      this.#checkWritten('open', path)
      await this.#checkFolder(path, 'open')
      await this.#created(path, () => act(path), 0o666)
    }

    /** just-bash makes the directories that a path leads through, and entries of files. */
    async #checkFolder(path: string, operation: string): Promise<void> {
      const folder = posix.dirname(path)
      if (folder === '/') return
      const found = await super.stat(folder).catch(() => undefined)
      if (found?.isDirectory !== true)
        throw refuse(new FileError(found === undefined ? 'ENOENT' : 'ENOTDIR', operation, path))
    }

    /** The directory that is there, of those that a new one is made in. */
    async #checkAbove(path: string): Promise<void> {
      let at = posix.dirname(path)
      while (!(await super.exists(at))) at = posix.dirname(at)
      if (!(await super.stat(at)).isDirectory) throw refuse(new FileError('ENOTDIR', 'mkdir', path))
    }

    /** just-bash gives files that are written, new or not, the mode of umask 022: one that exists keeps its own. */
    async #created(path: string, act: () => Promise<void>, mode: number): Promise<void> {
      const old = (await this.exists(path)) ? (await this.stat(path)).mode & 0o7777 : undefined
      await act()
      const usual = mode & ~0o022
      const wanted = old ?? mode & ~this.umask
      if (wanted !== usual) await this.chmod(path, wanted)
      this.#made = old === undefined ? path : undefined
    }
  }
  const memory = new Memory({ ...initialFiles }, { maxTotalBytes })
  noteRestoredLinks(memory)
  return memory
}
