import type { CommandContext } from '../just-bash.ts'
import { globPattern } from '../text/glob.ts'
import { GLOBSTAR } from '../transform/globstar.ts'
import { assignArray, single, singleQuoted } from '../transform/nodes.ts'
import { done, type OwnCommand, reading } from './command.ts'

const SPECIAL = /(?<!\\)(?:\\\\)*[*?[]/

const plain = (pattern: string) => pattern.replaceAll(/\\([\s\S])/g, '$1')

interface Entry {
  readonly name: string
  /** Not of a link that leads to one. */
  readonly isDirectory: boolean
}

/** Looks for the files that a pattern matches, in which `**` stands for any directories. */
class Search {
  readonly #context: CommandContext
  readonly #dots: boolean
  readonly #step: () => void
  readonly #paths = new Set<string>()

  /** @param dots - names that begin with a dot are matched as well. */
  constructor(context: CommandContext, dots: boolean, step: () => void) {
    this.#context = context
    this.#dots = dots
    this.#step = step
  }

  async find(pattern: string): Promise<string[]> {
    const parts = pattern.split('/')
    await this.#follow(
      '',
      parts.filter((part, at) => part !== '**' || parts[at - 1] !== '**'),
    )
    return [...this.#paths].sort((left, right) => (left < right ? -1 : 1))
  }

  /** @param prefix - empty, or a directory with a slash. */
  async #follow(prefix: string, [part = '', ...rest]: string[]): Promise<void> {
    if (part === '**') return this.#everywhere(prefix, rest, prefix !== '')
    const names = SPECIAL.test(part) ? await this.#matching(prefix, part) : [plain(part)]
    for (const name of names) {
      const path = `${prefix}${name}`
      if (rest.length > 0) {
        if (await this.#is(path === '' ? '/' : path, true)) await this.#follow(`${path}/`, rest)
      } else if (await this.#is(path, false)) this.#paths.add(path)
    }
  }

  /** @param counts - whether the directory itself belongs to what `**` matches at the end. */
  async #everywhere(prefix: string, rest: string[], counts: boolean): Promise<void> {
    if (rest.length === 0 && counts) this.#paths.add(prefix)
    if (rest.length > 0 && !(prefix === '' && rest[0] === '')) await this.#follow(prefix, rest)
    for (const { name, isDirectory } of await this.#list(prefix)) {
      if (name.startsWith('.') && !this.#dots) continue
      if (rest.length === 0) this.#paths.add(`${prefix}${name}`)
      if (isDirectory) await this.#everywhere(`${prefix}${name}/`, rest, false)
    }
  }

  async #matching(prefix: string, pattern: string): Promise<string[]> {
    const expression = globPattern(pattern)
    const dots = this.#dots || pattern.startsWith('.')
    const names = (await this.#list(prefix)).map(({ name }) => name)
    return names.filter(
      (name) => name === plain(pattern) || ((dots || name[0] !== '.') && expression.test(name)),
    )
  }

  #resolve(path: string): string {
    return this.#context.fs.resolvePath(this.#context.cwd, path === '' ? '.' : path)
  }

  async #list(path: string): Promise<readonly Entry[]> {
    this.#step()
    return (await this.#context.fs.readdirWithFileTypes?.(this.#resolve(path)).catch(() => [])) ?? []
  }

  async #is(path: string, directory: boolean): Promise<boolean> {
    const { fs } = this.#context
    const known =
      directory || path.endsWith('/') ? fs.stat(this.#resolve(path)) : fs.lstat(this.#resolve(path))
    const stat = await known.catch(() => undefined)
    return stat !== undefined && (stat.isDirectory || !(directory || path.endsWith('/')))
  }
}

/** `__globstar array patterns…`: what matches, or the pattern itself. */
export const globstar: OwnCommand = {
  name: GLOBSTAR,
  async run([array = '', ...patterns], context, interpreter) {
    const { dotglob, nullglob } = interpreter.current?.state.shoptOptions ?? {}
    const literally = context.env.get('SHELLOPTS')?.split(':').includes('noglob') === true
    const words: string[] = []
    for (const pattern of patterns) {
      const search = new Search(reading(context, interpreter), dotglob === true, () =>
        interpreter.stop.step(),
      )
      const found = literally ? [] : await search.find(pattern)
      words.push(...found)
      if (found.length === 0 && (literally || nullglob !== true)) words.push(plain(pattern))
    }
    interpreter.programs.evaluated.current = [single(assignArray(array, words.map(singleQuoted)))]
    return done()
  },
}
