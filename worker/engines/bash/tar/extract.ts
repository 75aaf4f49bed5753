import { posix } from 'node:path'
import { reason } from '../commands/command.ts'
import type { CommandContext } from '../just-bash.ts'
import type { Member } from './header.ts'
import type { TarOptions } from './options.ts'

export interface Extraction {
  readonly options: TarOptions
  readonly context: CommandContext
  /** The directory that members go to. */
  readonly place: string
  readonly umask: number
}

/** Writes members as files, and says what failed. */
export class Extractor {
  readonly #given: Extraction
  readonly #directories: { readonly path: string; readonly member: Member }[] = []
  readonly errors: string[] = []
  failed = false

  constructor(given: Extraction) {
    this.#given = given
  }

  async add(member: Member): Promise<void> {
    const name = this.#nameOf(member.name)
    if (name === undefined) return
    try {
      await this.#write(member, this.#given.context.fs.resolvePath(this.#given.place, name))
    } catch (error) {
      this.#fail(`${member.name}: Cannot open: ${reason(error)}`)
    }
  }

  /** Modes and times of directories, whose contents are there now. */
  async end(): Promise<void> {
    for (const { path, member } of this.#directories.reverse()) await this.#dress(path, member)
  }

  #fail(message: string): void {
    this.errors.push(message)
    this.failed = true
  }

  /** Where a member goes to; undefined where it is left out. */
  #nameOf(written: string): string | undefined {
    const { options } = this.#given
    const parts = written.split('/').filter((part, at) => part !== '' || at === 0)
    if (parts.includes('..')) {
      this.#fail(`${written}: Member name contains '..'`)
      return undefined
    }
    const kept = parts.slice(options.strip)
    if (kept.length === 0) return undefined
    const name = kept.join('/')
    if (!name.startsWith('/') && name !== '') return name
    if (options.flags.has('absolute') && options.strip === 0) return written
    const removed = "Removing leading `/' from member names"
    if (!this.errors.includes(removed)) this.errors.push(removed)
    return name.replace(/^\/+/, '') || '.'
  }

  async #write(member: Member, path: string): Promise<void> {
    const { fs } = this.#given.context
    const { flags } = this.#given.options
    await fs.mkdir(posix.dirname(path), { recursive: true })
    const old = await fs.lstat(path).catch(() => undefined)
    if (member.kind === 'directory') {
      if (old === undefined || !(await fs.stat(path)).isDirectory) await fs.mkdir(path, { recursive: true })
      this.#directories.push({ path, member })
      return
    }
    if (old !== undefined) {
      if (flags.has('skip')) return
      if (flags.has('keep')) return this.#fail(`${member.name}: Cannot open: File exists`)
      if (old.isDirectory && (await fs.readdir(path)).length > 0)
        return this.#fail(`${member.name}: Cannot open: Is a directory`)
      await fs.rm(path, { recursive: true })
    }
    if (member.kind === 'symlink') await fs.symlink(member.target, path)
    else if (member.kind === 'link') await this.#copy(member, path)
    else if (member.kind === 'file') {
      await fs.writeFile(path, member.content)
      await this.#dress(path, member)
    } else this.#fail(`${member.name}: files of this kind are not known here`)
  }

  /** A hard link is a copy here. */
  async #copy(member: Member, path: string): Promise<void> {
    const { fs } = this.#given.context
    const target = this.#nameOf(member.target) ?? member.target
    const source = fs.resolvePath(this.#given.place, target)
    if (!(await fs.exists(source)))
      return this.#fail(`${member.name}: Cannot hard link to '${member.target}': No such file or directory`)
    await fs.cp(source, path)
  }

  async #dress(path: string, member: Member): Promise<void> {
    const { context, options, umask } = this.#given
    const mode = options.flags.has('permissions') ? member.mode : member.mode & 0o777 & ~umask
    await context.fs.chmod(path, mode)
    const time = new Date(member.modified * 1000)
    if (!options.flags.has('touch')) await context.fs.utimes(path, time, time)
  }
}
