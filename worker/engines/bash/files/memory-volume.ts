import type { IFileSystem } from '../just-bash.ts'
import type { Node, Volume } from './volume.ts'

/** Files in memory as a volume whose root is `/`. */
export class MemoryVolume implements Volume {
  readonly #fs: IFileSystem

  constructor(fs: IFileSystem) {
    this.#fs = fs
  }

  async look(rel: string): Promise<Node | undefined> {
    const path = pathOf(rel)
    const stat = await this.#fs.lstat(path).catch(() => undefined)
    if (stat === undefined) return undefined
    const { isDirectory, isSymbolicLink, mode, size, mtime: modified, identity } = stat
    const same = identity === undefined ? {} : { identity }
    if (isSymbolicLink)
      return { kind: 'link', mode, size, modified, target: await this.#fs.readlink(path), ...same }
    return { kind: isDirectory ? 'directory' : 'file', mode, size, modified, ...same }
  }

  async list(rel: string): Promise<ReadonlyMap<string, Pick<Node, 'kind'>>> {
    const entries = (await this.#fs.readdirWithFileTypes?.(pathOf(rel))) ?? []
    return new Map(
      entries.map(({ name, isDirectory, isSymbolicLink }) => [
        name,
        { kind: isSymbolicLink ? 'link' : isDirectory ? 'directory' : 'file' },
      ]),
    )
  }

  read(rel: string): Promise<Uint8Array> {
    return this.#fs.readFileBuffer(pathOf(rel))
  }

  write(rel: string, bytes: Uint8Array): Promise<void> {
    return this.#fs.writeFile(pathOf(rel), bytes)
  }

  append(rel: string, bytes: Uint8Array): Promise<void> {
    return this.#fs.appendFile(pathOf(rel), bytes)
  }

  makeDirectory(rel: string): Promise<void> {
    return this.#fs.mkdir(pathOf(rel))
  }

  makeLink(rel: string, target: string): Promise<void> {
    return this.#fs.symlink(target, pathOf(rel))
  }

  link(from: string, to: string): Promise<void> {
    return this.#fs.link(pathOf(from), pathOf(to))
  }

  remove(rel: string): Promise<void> {
    return this.#fs.rm(pathOf(rel))
  }

  rename(from: string, to: string): Promise<void> {
    return this.#fs.mv(pathOf(from), pathOf(to))
  }

  chmod(rel: string, mode: number): Promise<void> {
    return this.#fs.chmod(pathOf(rel), mode)
  }

  setModified(rel: string, modified: Date): Promise<void> {
    return this.#fs.utimes(pathOf(rel), modified, modified)
  }
}

const pathOf = (rel: string) => `/${rel}`
