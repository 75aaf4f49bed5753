import type { IFileSystem } from '../just-bash.ts'
import { makeFolder } from './make-folder.ts'
import { copyTree } from './trees.ts'

const never = () => undefined

/** Moves, copies and removes files, links and directories on the file system of a sandbox. Paths are absolute. */
export class SandboxPlaces {
  readonly #fs: IFileSystem

  constructor(fs: IFileSystem) {
    this.#fs = fs
  }

  /** The path of what is there, without links but perhaps the last. @throws where there is nothing */
  async source(path: string): Promise<string> {
    const real = await this.#entry(path)
    await this.#fs.lstat(real)
    return real
  }

  /** @param from - as {@link SandboxPlaces.source} gives it. */
  async move(from: string, to: string): Promise<void> {
    const target = await this.#target(from, to)
    await this.#fs.mv(from, target)
  }

  /** @param from - as {@link SandboxPlaces.source} gives it. */
  async copy(from: string, to: string): Promise<void> {
    const target = await this.#target(from, to)
    await copyTree(this.#fs, from, target, { keepTimes: false, step: never })
  }

  /** Removes what is at a path, with all that is in it. */
  async remove(path: string): Promise<null> {
    await this.#fs.rm(await this.source(path), { recursive: true })
    return null
  }

  /** Where something is to be put, in a directory that is there now. @throws where it may not be put there */
  async #target(from: string, to: string): Promise<string> {
    const stat = await this.#fs.stat(to).catch(() => undefined)
    if (stat?.isDirectory === true) throw new Error(`EEXIST: ${to} is a directory`)
    const { isDirectory } = await this.#fs.lstat(from)
    if (isDirectory && (await this.#fs.lstat(to).catch(() => undefined)) !== undefined)
      throw new Error(`EEXIST: ${to} is there`)
    const folder = to.slice(0, to.lastIndexOf('/'))
    if (folder !== '') await makeFolder(this.#fs, folder)
    const target = await this.#entry(to)
    if (isDirectory && target.startsWith(`${from}/`)) throw new Error(`EINVAL: ${to} is inside ${from}`)
    if (
      target === from ||
      (stat !== undefined && (await this.#fs.realpath(to)) === (await this.#realOf(from)))
    )
      throw new Error(`EINVAL: ${to} is the same file as ${from}`)
    return target
  }

  async #realOf(path: string): Promise<string | undefined> {
    // A link that leads nowhere is no other file.
    return this.#fs.realpath(path).catch(() => undefined)
  }

  /** Links of the directories that lead to an entry are followed, the entry itself is not. */
  async #entry(path: string): Promise<string> {
    const at = path.lastIndexOf('/')
    const directory = at <= 0 ? '/' : await this.#fs.realpath(path.slice(0, at))
    return `${directory === '/' ? '' : directory}${path.slice(at)}`
  }
}
