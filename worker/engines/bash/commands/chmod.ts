import type { CommandContext } from '../just-bash.ts'
import { changedMode } from '../text/mode.ts'
import { withoutSlashes } from '../text/slashes.ts'
import { done, failed, type OwnCommand, reason } from './command.ts'
import { permissions } from './file-facts.ts'
import { isGiven, readOptions } from './options.ts'

const OPTIONS = {
  recursive: { type: 'boolean', short: 'R' },
  verbose: { type: 'boolean', short: 'v' },
  changes: { type: 'boolean', short: 'c' },
  silent: { type: 'boolean', short: 'f' },
  quiet: { type: 'boolean' },
  reference: { type: 'string' },
  'preserve-root': { type: 'boolean' },
  'no-preserve-root': { type: 'boolean' },
} as const

/** `-x` and `-rw,g-w` are modes, and no options. */
const MODE_WORD = /^-(?:[rwxXst]+|[ugo])(?:,.*)?$/

/** `chmod [-Rvcf] mode path…`, `chmod --reference=path path…`. */
export const chmod: OwnCommand = {
  name: 'chmod',
  async run(args, context, { files }) {
    const word = args.find((arg) => MODE_WORD.test(arg))
    const read = readOptions('chmod', word === undefined ? args : args.filter((arg) => arg !== word), OPTIONS)
    if (!isGiven(read)) return read
    const { flags, values, operands } = read
    const reference = values.get('reference')
    const isGivenMode = reference === undefined && word === undefined
    const [first] = isGivenMode ? operands : [word]
    const paths = isGivenMode ? operands.slice(1) : operands
    if (paths.length === 0) {
      const after = first === undefined ? '' : ` after '${first}'`
      return failed('chmod', `missing operand${after}\nTry 'chmod --help' for more information.`)
    }
    let text = first ?? ''
    if (reference !== undefined) {
      const stat = await context.fs
        .stat(context.fs.resolvePath(context.cwd, reference))
        .catch(() => undefined)
      if (stat === undefined)
        return failed('chmod', `failed to get attributes of '${reference}': No such file or directory`)
      text = (stat.mode & 0o7777).toString(8)
    }
    const { umask } = files
    if (changedMode(text, { mode: 0, isDirectory: false, umask }) === undefined)
      return failed('chmod', `invalid mode: '${text}'\nTry 'chmod --help' for more information.`)
    const change = new Change(context, text, umask, flags)
    for (const path of paths) await change.apply(path)
    const isSilent = flags.has('silent') || flags.has('quiet')
    return { ...done(change.stdout, change.stderr === '' ? 0 : 1), stderr: isSilent ? '' : change.stderr }
  },
}

class Change {
  stdout = ''
  stderr = ''
  readonly #context: CommandContext
  readonly #text: string
  readonly #umask: number
  readonly #flags: ReadonlySet<string>

  constructor(context: CommandContext, text: string, umask: number, flags: ReadonlySet<string>) {
    this.#context = context
    this.#text = text
    this.#umask = umask
    this.#flags = flags
  }

  /** @param isNamed - whether a word names the path: a link is followed then, and skipped in a tree. */
  async apply(path: string, isNamed = true): Promise<void> {
    const { fs, cwd } = this.#context
    const full = fs.resolvePath(cwd, path)
    try {
      if (!isNamed && (await fs.lstat(full)).isSymbolicLink) return
      const { mode: before, isDirectory } = await fs.stat(full)
      const mode = before & 0o7777
      const wanted = changedMode(this.#text, { mode, isDirectory, umask: this.#umask }) ?? mode
      await this.#set(path, full, mode, wanted)
      if (!isDirectory || !this.#flags.has('recursive')) return
      for (const name of await fs.readdir(full)) await this.apply(`${withoutSlashes(path)}/${name}`, false)
    } catch (error) {
      this.stderr += `chmod: cannot access '${path}': ${reason(error)}\n`
    }
  }

  async #set(path: string, full: string, mode: number, wanted: number): Promise<void> {
    try {
      await this.#context.fs.chmod(full, wanted)
    } catch (error) {
      this.stderr += `chmod: changing permissions of '${path}': ${reason(error)}\n`
      return
    }
    if (mode !== wanted && (this.#flags.has('verbose') || this.#flags.has('changes')))
      this.stdout += `mode of '${path}' changed from ${told(mode)} to ${told(wanted)}\n`
    else if (this.#flags.has('verbose')) this.stdout += `mode of '${path}' retained as ${told(mode)}\n`
  }
}

const told = (mode: number) => `${mode.toString(8).padStart(4, '0')} (${permissions(mode)})`
