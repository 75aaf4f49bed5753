import { type Answer, reason } from '../commands/command.ts'
import type { CommandContext } from '../just-bash.ts'
import { decode, encode, textOf } from '../text/bytes.ts'
import { globPattern } from '../text/glob.ts'
import { lastName, withoutSlashes } from '../text/slashes.ts'
import type { Matcher } from './matcher.ts'
import type { GrepOptions } from './options.ts'
import { search } from './search.ts'

/** Looks through files, folders or stdin. */
export class GrepRun {
  readonly #options: GrepOptions
  readonly #context: CommandContext
  readonly #matcher: Matcher
  readonly #step: () => void
  readonly #include: readonly RegExp[]
  readonly #exclude: readonly RegExp[]
  readonly #excludeFolders: readonly RegExp[]
  #out: string[] = []
  #errors = ''
  #failed = false
  #matched = false
  #groups = false

  constructor(options: GrepOptions, context: CommandContext, matcher: Matcher, step: () => void) {
    this.#options = options
    this.#context = context
    this.#matcher = matcher
    this.#step = step
    this.#include = options.include.map(globPattern)
    this.#exclude = options.exclude.map(globPattern)
    this.#excludeFolders = options.excludeFolders.map((glob) => globPattern(withoutSlashes(glob)))
  }

  async run(paths: readonly string[]): Promise<Answer> {
    const { flags } = this.#options
    const recursive = flags.has('r') || flags.has('R')
    const named = this.#options.names ?? paths.length > 1
    if (paths.length === 0 && recursive) await this.#folder('', '.', this.#options.names ?? true)
    else if (paths.length === 0) this.#text(decode(String(this.#context.stdin)), this.#name('-', named))
    for (const path of paths) {
      if (flags.has('q') && this.#matched) break
      await this.#path(path, named, recursive)
    }
    const quiet = flags.has('q') && this.#matched
    return {
      stdout: encode(this.#out.join('')),
      stderr: flags.has('s') ? '' : this.#errors,
      exitCode: this.#failed && !quiet ? 2 : this.#matched ? 0 : 1,
      stdoutKind: 'bytes',
    }
  }

  #name(path: string, named: boolean): string | undefined {
    if (!named && !this.#options.flags.has('l') && !this.#options.flags.has('L')) return undefined
    return path === '-' ? this.#options.label : path
  }

  #fail(path: string, message: string): void {
    this.#errors += `grep: ${path}: ${message}\n`
    this.#failed = true
  }

  async #path(path: string, named: boolean, recursive: boolean): Promise<void> {
    if (path === '-') return this.#text(decode(String(this.#context.stdin)), this.#name('-', named))
    const full = this.#context.fs.resolvePath(this.#context.cwd, path)
    const stat = await this.#context.fs.stat(full).catch(() => undefined)
    if (stat === undefined) return this.#fail(path, 'No such file or directory')
    if (!stat.isDirectory) return this.#allowed(path, true) ? this.#file(path, named) : undefined
    if (recursive) return this.#folder(path, full, this.#options.names ?? true)
    if (!this.#options.flags.has('skip')) this.#errors += `grep: ${path}: Is a directory\n`
    if (!this.#options.flags.has('skip')) this.#failed = true
  }

  #allowed(path: string, given = false): boolean {
    const base = path.slice(path.lastIndexOf('/') + 1)
    const fits = (patterns: readonly RegExp[]) =>
      patterns.some((pattern) => pattern.test(base) || (given && pattern.test(path)))
    return (this.#include.length === 0 || fits(this.#include)) && !fits(this.#exclude)
  }

  async #folder(path: string, full: string, named: boolean): Promise<void> {
    const { fs, cwd } = this.#context
    const base = lastName(path)
    if (base !== '' && base !== '.' && this.#excludeFolders.some((pattern) => pattern.test(base))) return
    const prefix = path === '' || path.endsWith('/') ? path : `${path}/`
    const folder = fs.resolvePath(cwd, full)
    const entries = (await fs.readdirWithFileTypes?.(folder)) ?? []
    for (const { name, isDirectory, isSymbolicLink } of entries) {
      if (this.#options.flags.has('q') && this.#matched) return
      const child = fs.resolvePath(folder, name)
      if (isSymbolicLink) await this.#link(prefix + name, child, named)
      else if (isDirectory) await this.#folder(prefix + name, child, named)
      else if (this.#allowed(name)) await this.#file(prefix + name, named)
    }
  }

  async #link(path: string, full: string, named: boolean): Promise<void> {
    if (!this.#options.flags.has('R')) return
    const target = await this.#context.fs.stat(full).catch(() => undefined)
    if (target?.isDirectory) this.#fail(path, 'links to directories are not followed here')
    else if (target !== undefined && this.#allowed(path)) await this.#file(path, named)
  }

  async #file(path: string, named: boolean): Promise<void> {
    try {
      const bytes = await this.#context.fs.readFileBuffer(
        this.#context.fs.resolvePath(this.#context.cwd, path),
      )
      this.#text(textOf(bytes), this.#name(path, named), path)
    } catch (error) {
      this.#fail(path, reason(error))
    }
  }

  #text(text: string, name: string | undefined, path = '(standard input)'): void {
    const { flags, separator, before, after } = this.#options
    const { count, lines, binary } = search(text, name, this.#matcher, this.#options, this.#step)
    if (count > 0) this.#matched = true
    if (flags.has('q')) return
    const nameEnd = flags.has('Z') ? '\0' : '\n'
    if (flags.has('l') || flags.has('L')) {
      if (count > 0 === flags.has('l')) this.#out.push(`${name ?? path}${nameEnd}`)
    } else if (flags.has('c'))
      this.#out.push(`${name === undefined ? '' : name + (flags.has('Z') ? '\0' : ':')}${count}\n`)
    else if (binary) this.#errors += `grep: ${path}: binary file matches\n`
    else if (lines.length > 0) {
      if (this.#groups && separator !== undefined && before + after > 0) this.#out.push(`${separator}\n`)
      this.#groups = true
      const end = flags.has('z') ? '\0' : '\n'
      for (const line of lines) this.#out.push(line + end)
    }
  }
}
