import type { IFileSystem } from '../just-bash.ts'
import type { Protection } from '../rules/protection.ts'
import { toBytes } from '../text/bytes.ts'
import { FileError } from './file-error.ts'
import type { MemoryFs, SandboxFs } from './memory-fs.ts'
import { encodingOf, MountedReads, present } from './mounted-reads.ts'
import type { Spot } from './namespace.ts'
import { copyTree, moveTree, removeTree } from './trees.ts'

type Content = Parameters<IFileSystem['writeFile']>[1]
type Encoding = Parameters<IFileSystem['writeFile']>[2]

/**
 * The file system of a sandbox with mounts. just-bash's own `MountableFs` follows no link from one volume into another,
 * mounts none inside another, and tells paths relative to a mount in its errors.
 */
export class MountedFiles extends MountedReads implements SandboxFs {
  get umask(): number {
    return this.memory.umask
  }

  set umask(umask: number) {
    this.memory.umask = umask
  }

  private get protection(): Protection | undefined {
    return this.memory.protection
  }

  get endlessCut(): boolean {
    return this.memory.endlessCut
  }

  set endlessCut(cut: boolean) {
    this.memory.endlessCut = cut
  }

  // just-bash lays out /bin, /dev and /proc with these.

  mkdirSync(...args: Parameters<MemoryFs['mkdirSync']>): void {
    this.memory.mkdirSync(...args)
  }

  writeFileSync(...args: Parameters<MemoryFs['writeFileSync']>): void {
    this.memory.writeFileSync(...args)
  }

  writeFileLazy(...args: Parameters<MemoryFs['writeFileLazy']>): void {
    this.memory.writeFileLazy(...args)
  }

  writeFile(path: string, content: Content, options?: Encoding): Promise<void> {
    return this.run('open', path, true, async (spot) => {
      this.protection?.write('open', spot.path)
      if (this.isMemory(spot)) return this.memory.writeFile(spot.path, content, options)
      const bytes = bytesOf(content, options)
      this.#checkFile(spot, bytes.byteLength)
      await spot.volume.write(spot.rel, bytes, 0o666 & ~this.umask)
    })
  }

  appendFile(path: string, content: Content, options?: Encoding): Promise<void> {
    return this.run('open', path, true, async (spot) => {
      this.protection?.write('open', spot.path)
      if (this.isMemory(spot)) return this.memory.appendFile(spot.path, content, options)
      const bytes = bytesOf(content, options)
      this.#checkFile(spot, (spot.node?.size ?? 0) + bytes.byteLength)
      await spot.volume.append(spot.rel, bytes, 0o666 & ~this.umask)
    })
  }

  mkdir(path: string, options?: { recursive?: boolean }): Promise<void> {
    return this.run('mkdir', path, true, async (spot) => {
      const recursive = options?.recursive === true
      if (spot.node !== undefined) {
        if (recursive && spot.node.kind === 'directory') return
        throw new FileError('EEXIST', 'mkdir', path)
      }
      this.protection?.write('mkdir', spot.path)
      if (this.isMemory(spot)) return this.memory.mkdir(spot.path, options)
      if (spot.isParentMissing) {
        if (!recursive) throw new FileError('ENOENT', 'mkdir', path)
        await this.mkdir(spot.path.slice(0, spot.path.lastIndexOf('/')), options)
      }
      await spot.volume.makeDirectory(spot.rel, 0o777 & ~this.umask)
    })
  }

  rm(path: string, options: { recursive?: boolean; force?: boolean } = {}): Promise<void> {
    return this.run('rm', path, false, async (spot) => {
      if (spot.node === undefined && options.force) return
      const { kind } = present(spot, 'rm')
      this.protection?.replace('rm', spot.path)
      this.#checkIdle(spot, 'rm')
      if (this.isMemory(spot)) return this.memory.rm(spot.path, options)
      const isFull = kind === 'directory' && (await spot.volume.list(spot.rel)).size > 0
      if (isFull && !options.recursive) throw new FileError('ENOTEMPTY', 'rm', path)
      await removeTree(spot.volume, spot.rel, kind, this.options.step)
    })
  }

  cp(from: string, to: string, options?: { recursive?: boolean }): Promise<void> {
    return this.run('cp', from, false, async (spot) => {
      const { kind } = present(spot, 'cp')
      if (kind === 'directory' && !options?.recursive) throw new FileError('EISDIR', 'cp', from)
      const target = await this.names.walk(to, kind !== 'link')
      if (kind === 'directory' && isWithin(target.path, spot.path)) throw new FileError('EINVAL', 'cp', to)
      if (kind === 'link') this.protection?.replace('cp', target.path)
      else this.protection?.write('cp', target.path)
      const isPlain = this.isMemory(spot) && this.isMemory(target)
      if (isPlain && this.names.ways(spot.path).length + this.names.ways(target.path).length === 0)
        return this.memory.cp(spot.path, target.path, options)
      await copyTree(this, spot.path, target.path, { keepTimes: false, step: this.options.step })
    })
  }

  mv(from: string, to: string): Promise<void> {
    return this.run('mv', from, false, async (spot) => {
      present(spot, 'mv')
      this.#checkIdle(spot, 'mv')
      const target = await this.names.walk(to, false)
      this.protection?.replace('rename', spot.path)
      this.protection?.replace('rename', target.path)
      this.#checkIdle(target, 'mv')
      if (isWithin(target.path, spot.path) && spot.node?.kind === 'directory')
        throw new FileError('EINVAL', 'mv', to)
      if (spot.path === target.path) return
      if (this.isMemory(spot) && this.isMemory(target)) return this.memory.mv(spot.path, target.path)
      if (target.isParentMissing) throw new FileError('ENOENT', 'mv', to)
      if (spot.volume === target.volume) return spot.volume.rename(spot.rel, target.rel)
      await moveTree(this, spot, target, this.options.step)
    })
  }

  chmod(path: string, mode: number): Promise<void> {
    return this.run('chmod', path, true, async (spot) => {
      present(spot, 'chmod')
      this.protection?.write('chmod', spot.path)
      await spot.volume.chmod(spot.rel, mode)
    })
  }

  symlink(target: string, path: string): Promise<void> {
    return this.run('symlink', path, false, async (spot) => {
      if (spot.node !== undefined) throw new FileError('EEXIST', 'symlink', path)
      this.protection?.replace('symlink', spot.path)
      if (spot.isParentMissing && !this.isMemory(spot)) throw new FileError('ENOENT', 'symlink', path)
      await spot.volume.makeLink(spot.rel, target)
    })
  }

  link(from: string, to: string): Promise<void> {
    return this.run('link', from, false, async (spot) => {
      present(spot, 'link')
      const target = await this.names.walk(to, false)
      if (target.node !== undefined) throw new FileError('EEXIST', 'link', to)
      this.protection?.write('link', spot.path)
      this.protection?.replace('link', target.path)
      if (target.isParentMissing) throw new FileError('ENOENT', 'link', to)
      if (target.volume !== spot.volume) throw new FileError('EXDEV', 'link', to)
      await spot.volume.link(spot.rel, target.rel)
    })
  }

  utimes(path: string, _accessed: Date, modified: Date): Promise<void> {
    return this.run('utimes', path, true, async (spot) => {
      present(spot, 'utimes')
      this.protection?.write('utimes', spot.path)
      await spot.volume.setModified(spot.rel, modified)
    })
  }

  #checkFile(spot: Spot, size: number): void {
    if (spot.isParentMissing) throw new FileError('ENOENT', 'open', spot.path)
    if (spot.node?.kind === 'directory') throw new FileError('EISDIR', 'open', spot.path)
    if (size > this.options.maxFileSize) throw new FileError('EFBIG', 'write', spot.path)
  }

  #checkIdle({ path }: Spot, operation: string): void {
    if (this.names.isBusy(path)) throw new FileError('EBUSY', operation, path)
  }
}

const bytesOf = (content: Content, options: Encoding) =>
  typeof content === 'string' ? bytesAs(content, encodingOf(options)) : content

const bytesAs = (content: string, encoding: BufferEncoding) =>
  encoding === 'utf8' || encoding === 'utf-8' ? toBytes(content) : Buffer.from(content, encoding)

const isWithin = (path: string, directory: string) => path === directory || path.startsWith(`${directory}/`)
