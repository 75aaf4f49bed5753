import type { CommandContext } from '../just-bash.ts'
import { lastName } from '../text/slashes.ts'
import { type BackupKind, backupKind, setAside } from './backup.ts'
import { type Answer, done, failed, type OwnCommand, reason } from './command.ts'
import { isGiven, readOptions } from './options.ts'

const OPTIONS = {
  force: { type: 'boolean', short: 'f' },
  interactive: { type: 'boolean', short: 'i' },
  'no-clobber': { type: 'boolean', short: 'n' },
  update: { type: 'boolean', short: 'u' },
  verbose: { type: 'boolean', short: 'v' },
  'no-target-directory': { type: 'boolean', short: 'T' },
  'target-directory': { type: 'string', short: 't' },
  'simple-backup': { type: 'boolean', short: 'b' },
  backup: { type: 'string' },
  suffix: { type: 'string', short: 'S' },
  'strip-trailing-slashes': { type: 'boolean' },
} as const

const join = (folder: string, name: string) => (folder.endsWith('/') ? folder + name : `${folder}/${name}`)

/** Moves, with what is printed and what fails. */
class Move {
  readonly #context: CommandContext
  readonly #flags: ReadonlySet<string>
  readonly #backup: BackupKind
  readonly #suffix: string
  stdout = ''
  stderr = ''

  constructor(context: CommandContext, flags: ReadonlySet<string>, backup: BackupKind, suffix: string) {
    this.#context = context
    this.#flags = flags
    this.#backup = backup
    this.#suffix = suffix
  }

  #fail(message: string): void {
    this.stderr += `mv: ${message}\n`
  }

  async move(from: string, to: string): Promise<void> {
    const { fs, cwd } = this.#context
    const [source, target] = [fs.resolvePath(cwd, from), fs.resolvePath(cwd, to)]
    const stat = await fs.lstat(source).catch(() => undefined)
    if (stat === undefined) return this.#fail(`cannot stat '${from}': No such file or directory`)
    if (source === target) return this.#fail(`'${from}' and '${to}' are the same file`)
    if (stat.isDirectory && target.startsWith(`${source}/`))
      return this.#fail(`cannot move '${from}' to a subdirectory of itself, '${to}'`)
    const old = await fs.lstat(target).catch(() => undefined)
    if (old !== undefined && !(await this.#mayReplace(from, to, target, stat, old))) return
    try {
      const kept =
        old === undefined ? undefined : await setAside(target, this.#backup, this.#suffix, this.#context)
      if (old?.isDirectory === true && kept === undefined) await fs.rm(target, { recursive: true })
      await fs.mv(source, target)
      if (this.#flags.has('verbose'))
        this.stdout += `renamed '${from}' -> '${to}'${kept === undefined ? '' : ` (backup: '${join(to.replace(/[^/]*$/, '') || '', lastName(kept)).replace(/^\//, '')}')`}\n`
    } catch (error) {
      this.#fail(`cannot move '${from}' to '${to}': ${reason(error)}`)
    }
  }

  async #mayReplace(
    from: string,
    to: string,
    target: string,
    stat: Awaited<ReturnType<CommandContext['fs']['lstat']>>,
    old: Awaited<ReturnType<CommandContext['fs']['lstat']>>,
  ): Promise<boolean> {
    if (this.#flags.has('no-clobber')) return false
    if (this.#flags.has('update') && old.mtime.getTime() >= stat.mtime.getTime()) return false
    if (this.#backup !== 'none') return true
    if (old.isDirectory && !stat.isDirectory) {
      this.#fail(`cannot overwrite directory '${to}' with non-directory`)
      return false
    }
    if (!old.isDirectory && stat.isDirectory) {
      this.#fail(`cannot overwrite non-directory '${to}' with directory '${from}'`)
      return false
    }
    if (old.isDirectory && (await this.#context.fs.readdir(target)).length > 0) {
      this.#fail(`cannot move '${from}' to '${to}': Directory not empty`)
      return false
    }
    return true
  }
}

/** `mv [options] source… target`. Nobody is asked: `-i` refuses to replace. */
export const mv: OwnCommand = {
  name: 'mv',
  async run(args, context): Promise<Answer> {
    const words = args.map((arg) => (arg === '--backup' ? '--backup=existing' : arg))
    const read = readOptions('mv', words, OPTIONS)
    if (!isGiven(read)) return read
    const { flags, values, operands } = read
    const kind = backupKind(values.get('backup') ?? (flags.has('simple-backup') ? 'existing' : 'none'))
    if (kind === undefined)
      return failed('mv', `invalid argument '${values.get('backup')}' for 'backup type'`)
    const rules = flags.has('interactive') && !flags.has('force') ? new Set([...flags, 'no-clobber']) : flags
    const move = new Move(context, rules, kind, values.get('suffix') ?? '~')
    const paths = [...operands]
    const folder = values.get('target-directory')
    const target = folder ?? paths.pop()
    if (target === undefined) return failed('mv', 'missing file operand')
    if (paths.length === 0) return failed('mv', `missing destination file operand after '${target}'`)
    const full = context.fs.resolvePath(context.cwd, target)
    const isFolder = (await context.fs.stat(full).catch(() => undefined))?.isDirectory === true
    const into = isFolder && !flags.has('no-target-directory')
    if (!into && (folder !== undefined || paths.length > 1))
      return failed('mv', `target '${target}' is not a directory`)
    for (const path of paths) await move.move(path, into ? join(target, lastName(path)) : target)
    return { ...done(move.stdout), stderr: move.stderr, exitCode: move.stderr === '' ? 0 : 1 }
  },
}
