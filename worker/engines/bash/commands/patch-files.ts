import type { CommandContext } from '../just-bash.ts'
import { decode, toBytes } from '../text/bytes.ts'
import { readInput, reason } from './command.ts'

/** What ends the program: nothing after it is patched. */
export class Fatal extends Error {}

/** The files of one run of `patch`, by their names in its directory. */
export class PatchFiles {
  readonly #context: CommandContext
  readonly #fs: CommandContext['fs']
  readonly #cwd: string

  /** @throws {Fatal} where the directory is none */
  static async of(directory: string | undefined, context: CommandContext): Promise<PatchFiles> {
    const { fs, cwd } = context
    const full = directory === undefined ? cwd : fs.resolvePath(cwd, directory)
    const isThere = (await fs.stat(full).catch(() => undefined))?.isDirectory === true
    if (!isThere) throw new Fatal(`Can't change to directory ${directory} : No such file or directory`)
    return new PatchFiles(full, context)
  }

  private constructor(cwd: string, context: CommandContext) {
    this.#context = context
    this.#fs = context.fs
    this.#cwd = cwd
  }

  /** A file's text, or that of standard input. @throws {Fatal} with `failure` */
  async read(path: string | undefined, failure: string): Promise<string> {
    try {
      const isInput = path === undefined || path === '-'
      return decode(await readInput(isInput ? path : this.#full(path), this.#context))
    } catch (error) {
      throw new Fatal(`${failure} : ${reason(error)}`)
    }
  }

  /** @throws {Fatal} where it cannot be written */
  async write(path: string, text: string): Promise<void> {
    const full = this.#full(path)
    try {
      const folder = full.replace(/\/[^/]*$/, '') || '/'
      if (!(await this.#fs.exists(folder))) await this.#fs.mkdir(folder, { recursive: true })
      await this.#fs.writeFile(full, toBytes(text))
    } catch (error) {
      throw new Fatal(`Can't create file ${path} : ${reason(error)}`)
    }
  }

  async changeMode(path: string, mode: number): Promise<void> {
    await this.#fs.chmod(this.#full(path), mode)
  }

  /** Removes a file, and the directories that are empty then. */
  async remove(path: string): Promise<void> {
    await this.#fs.rm(this.#full(path), { force: true })
    for (let folder = path; folder.includes('/'); ) {
      folder = folder.slice(0, folder.lastIndexOf('/'))
      const isEmpty = folder !== '' && (await this.#fs.readdir(this.#full(folder))).length === 0
      if (!isEmpty) return
      await this.#fs.rm(this.#full(folder), { recursive: true })
    }
  }

  async isFile(path: string): Promise<boolean> {
    return (await this.#fs.stat(this.#full(path)).catch(() => undefined))?.isFile === true
  }

  #full(path: string): string {
    return this.#fs.resolvePath(this.#cwd, path)
  }
}
