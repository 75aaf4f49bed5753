import type { FileEntry, FileStat } from '../../../../src/contract/shell-api.ts'
import { FileTooLarge } from '../../../service/file-failure.ts'
import type { IFileSystem } from '../just-bash.ts'
import { isDevice } from './devices.ts'
import { makeFolder } from './make-folder.ts'

/** Compares by code point: UTF-16 order puts astral characters before U+E000. */
function byCodePoint(left: string, right: string): number {
  const a = [...left]
  const b = [...right]
  for (let at = 0; at < Math.min(a.length, b.length); at += 1) {
    const difference = (a[at]?.codePointAt(0) ?? 0) - (b[at]?.codePointAt(0) ?? 0)
    if (difference !== 0) return difference
  }
  return a.length - b.length
}

/** The API's file operations on the file system of a sandbox. Paths are absolute. */
export class SandboxFiles {
  readonly #fs: IFileSystem
  readonly #maxFileSize: number

  constructor(fs: IFileSystem, maxFileSize: number) {
    this.#fs = fs
    this.#maxFileSize = maxFileSize
  }

  async read(path: string): Promise<Uint8Array<ArrayBuffer>> {
    const { size } = await this.#fs.stat(path)
    if (size > this.#maxFileSize) throw new FileTooLarge(size, this.#maxFileSize)
    // The file system gives its own buffer, which must not leave the thread.
    return new Uint8Array(await this.#fs.readFileBuffer(path))
  }

  async write(path: string, content: Uint8Array): Promise<null> {
    if (content.byteLength > this.#maxFileSize) throw new FileTooLarge(content.byteLength, this.#maxFileSize)
    if (isDevice(path)) throw new Error(`EINVAL: ${path} is a device`)
    const before = await this.#fs.stat(path).catch(() => undefined)
    if (before?.isDirectory === true) throw new Error(`EISDIR: ${path} is a directory`)
    const folder = path.slice(0, path.lastIndexOf('/'))
    if (before === undefined && folder !== '') await makeFolder(this.#fs, folder)
    await this.#fs.writeFile(path, content.slice())
    return null
  }

  async append(path: string, content: Uint8Array): Promise<null> {
    if (isDevice(path)) throw new Error(`EINVAL: ${path} is a device`)
    const before = await this.#fs.stat(path).catch(() => undefined)
    if (before?.isDirectory === true) throw new Error(`EISDIR: ${path} is a directory`)
    const size = (before?.size ?? 0) + content.byteLength
    if (size > this.#maxFileSize) throw new FileTooLarge(size, this.#maxFileSize)
    const folder = path.slice(0, path.lastIndexOf('/'))
    if (before === undefined && folder !== '') await makeFolder(this.#fs, folder)
    await this.#fs.appendFile(path, content.slice())
    return null
  }

  async makeDirectory(path: string): Promise<null> {
    const before = await this.#fs.stat(path).catch(() => this.#fs.lstat(path).catch(() => undefined))
    if (before === undefined) await makeFolder(this.#fs, path)
    else if (!before.isDirectory) throw new Error(`EEXIST: ${path} is no directory`)
    return null
  }

  async remove(path: string): Promise<null> {
    const { isDirectory } = await this.#fs.lstat(path)
    if (isDirectory) throw new Error(`EISDIR: ${path} is a directory`)
    await this.#fs.rm(path)
    return null
  }

  async list(path: string): Promise<FileEntry[]> {
    const names = (await this.#fs.readdir(path)).sort(byCodePoint)
    return Promise.all(
      names.map(async (name) => {
        const full = path === '/' ? `/${name}` : `${path}/${name}`
        // A link that leads nowhere is listed as itself.
        const stat = await this.#fs.stat(full).catch(() => this.#fs.lstat(full))
        return { name, isDir: stat.isDirectory, size: stat.isDirectory ? 0 : stat.size }
      }),
    )
  }

  async stat(path: string): Promise<FileStat> {
    const { isDirectory, isSymbolicLink, size, mode, mtime } = await this.#fs.lstat(path)
    const kind = isSymbolicLink ? 'link' : isDirectory ? 'directory' : 'file'
    return { kind, size, mode: mode & 0o7777, modified: mtime.getTime() }
  }
}
