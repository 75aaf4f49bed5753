import type { CommandContext } from '../just-bash.ts'
import { lastName } from '../text/slashes.ts'
import { done, failed, type OwnCommand, reason } from './command.ts'
import { isGiven, readOptions } from './options.ts'

const OPTIONS = {
  archive: { type: 'boolean', short: 'a' },
  recursive: { type: 'boolean', short: 'r' },
  'recursive-too': { type: 'boolean', short: 'R' },
  preserve: { type: 'boolean', short: 'p' },
  'no-dereference': { type: 'boolean', short: 'P' },
  dereference: { type: 'boolean', short: 'L' },
  links: { type: 'boolean', short: 'd' },
  force: { type: 'boolean', short: 'f' },
  'no-clobber': { type: 'boolean', short: 'n' },
  update: { type: 'boolean', short: 'u' },
  verbose: { type: 'boolean', short: 'v' },
  parents: { type: 'boolean' },
  'no-target-directory': { type: 'boolean', short: 'T' },
  'target-directory': { type: 'string', short: 't' },
} as const

const join = (folder: string, name: string) => (folder.endsWith('/') ? folder + name : `${folder}/${name}`)

/** Copies, with what is printed and what fails. */
class Copy {
  readonly #context: CommandContext
  readonly #flags: ReadonlySet<string>
  stdout = ''
  stderr = ''

  readonly #umask: number

  constructor(context: CommandContext, flags: ReadonlySet<string>, umask: number) {
    this.#context = context
    this.#umask = umask
    this.#flags = flags
  }

  #full(path: string): string {
    return this.#context.fs.resolvePath(this.#context.cwd, path)
  }

  async isFolder(path: string): Promise<boolean> {
    const stat = await this.#context.fs.stat(this.#full(path)).catch(() => undefined)
    return stat?.isDirectory === true
  }

  get #keepsLinks(): boolean {
    const has = (name: string) => this.#flags.has(name)
    return !has('dereference') && (has('archive') || has('no-dereference') || has('links') || this.#recursive)
  }

  get #recursive(): boolean {
    return ['archive', 'recursive', 'recursive-too'].some((name) => this.#flags.has(name))
  }

  fail(message: string): void {
    this.stderr += `cp: ${message}\n`
  }

  /** Copies one path to another one. */
  async copy(from: string, to: string): Promise<void> {
    const { fs } = this.#context
    const source = this.#full(from)
    const target = this.#full(to)
    const look = this.#keepsLinks ? fs.lstat(source) : fs.stat(source)
    const stat = await look.catch(() => undefined)
    if (stat === undefined) return this.fail(`cannot stat '${from}': No such file or directory`)
    // Writing a file gives it a new mode here.
    const former = (await fs.stat(target).catch(() => undefined))?.mode
    try {
      if (stat.isDirectory) await this.#folder(from, to, source, target)
      else if (await this.#mayWrite(from, to, target, stat.mtime.getTime())) {
        if (stat.isSymbolicLink) {
          await fs.rm(target, { force: true })
          await fs.symlink(await fs.readlink(source), target)
        } else await fs.writeFile(target, new Uint8Array(await fs.readFileBuffer(source)))
        this.#tell(from, to)
      } else return
      if (!stat.isSymbolicLink)
        await this.#attributes(target, stat.mode & 0o7777, stat.mtime.getTime(), former)
    } catch (error) {
      this.fail(`cannot create '${to}': ${reason(error)}`)
    }
  }

  #tell(from: string, to: string): void {
    if (this.#flags.has('verbose')) this.stdout += `'${from}' -> '${to}'\n`
  }

  async #mayWrite(from: string, to: string, target: string, modified: number): Promise<boolean> {
    const { fs } = this.#context
    const stat = await fs.stat(target).catch(() => undefined)
    if (stat === undefined) return true
    if (stat.isDirectory) {
      this.fail(`cannot overwrite directory '${to}' with non-directory '${from}'`)
      return false
    }
    if ((await this.#place(this.#full(from))) === (await this.#place(target))) {
      this.fail(`'${from}' and '${to}' are the same file`)
      return false
    }
    if (this.#flags.has('no-clobber')) return false
    return !this.#flags.has('update') || stat.mtime.getTime() < modified
  }

  /** Where a path leads, also where nothing is yet. */
  async #place(path: string): Promise<string> {
    const { fs } = this.#context
    if (await fs.exists(path)) return fs.realpath(path)
    const folder = path.replace(/\/[^/]*$/, '') || '/'
    return (await fs.exists(folder)) ? join(await fs.realpath(folder), lastName(path)) : path
  }

  async #folder(from: string, to: string, source: string, target: string): Promise<void> {
    const { fs } = this.#context
    if (!this.#recursive) return this.fail(`-r not specified; omitting directory '${from}'`)
    const [real, place] = [await fs.realpath(source), await this.#place(target)]
    if (place === real || place.startsWith(`${real}/`))
      return this.fail(`cannot copy a directory, '${from}', into itself, '${to}'`)
    const stat = await fs.stat(target).catch(() => undefined)
    if (stat !== undefined && !stat.isDirectory)
      return this.fail(`cannot overwrite non-directory '${to}' with directory '${from}'`)
    if (stat === undefined) {
      await fs.mkdir(target)
      this.#tell(from, to)
    }
    for (const name of (await fs.readdir(source)).sort()) await this.copy(join(from, name), join(to, name))
  }

  async #attributes(
    target: string,
    mode: number,
    modified: number,
    former: number | undefined,
  ): Promise<void> {
    const { fs } = this.#context
    const keeps = this.#flags.has('archive') || this.#flags.has('preserve')
    const plain = former === undefined ? mode & ~this.#umask : former & 0o7777
    await fs.chmod(target, keeps ? mode : plain)
    // The times are copies: those of the file system do not outlive the command.
    if (keeps) await fs.utimes(target, new Date(modified), new Date(modified))
  }
}

/** `cp [options] source… target` */
export const cp: OwnCommand = {
  name: 'cp',
  async run(args, context, { files }) {
    const words = args.map((arg) =>
      arg === '--preserve=all' || arg.startsWith('--preserve=mode') ? '-p' : arg,
    )
    const read = readOptions('cp', words, OPTIONS)
    if (!isGiven(read)) return read
    const { flags, values, operands } = read
    const copy = new Copy(context, flags, files.umask)
    const paths = [...operands]
    const folder = values.get('target-directory')
    const target = folder ?? paths.pop()
    if (target === undefined) return failed('cp', 'missing file operand')
    if (paths.length === 0) return failed('cp', `missing destination file operand after '${target}'`)
    const into = !flags.has('no-target-directory') && (await copy.isFolder(target))
    if (!into && (folder !== undefined || paths.length > 1 || flags.has('parents')))
      return failed('cp', `target '${target}' is not a directory`)
    for (const path of paths) {
      if (flags.has('parents')) {
        const above = path.replace(/\/*[^/]*\/*$/, '')
        const place = join(target, above)
        if (above !== '')
          await context.fs.mkdir(context.fs.resolvePath(context.cwd, place), { recursive: true })
        await copy.copy(path, join(target, path.replace(/^\/+/, '')))
      } else await copy.copy(path, into ? join(target, lastName(path)) : target)
    }
    return { ...done(copy.stdout), stderr: copy.stderr, exitCode: copy.stderr === '' ? 0 : 1 }
  },
}
