import type { IFileSystem } from '../just-bash.ts'

/** What just-bash 3.4.2 has where it matches patterns with files. */
export interface Expander {
  readonly fs: IFileSystem
  readonly cwd: string
  readonly globstar: boolean
  readonly dotglob: boolean
  readonly hasGlobignore: boolean
  /** `nocaseglob` */
  readonly nocase: boolean
  /** @throws where too many directories were read */
  checkOpsLimit(): void
  hasGlobChars(segment: string): boolean
  matchPattern(name: string, segment: string): boolean
  filterGlobignore(paths: string[]): string[]
}

interface Entry {
  readonly name: string
  /** Not of a link that leads to one. */
  readonly isDirectory: boolean
}

/** The paths that a pattern matches, as bash has them. `**` stands for any directories under `globstar`. */
export async function matchingPaths(expander: Expander, pattern: string): Promise<string[]> {
  const segments = pattern
    .split('/')
    .map((segment) =>
      expander.globstar && segment === '**' ? segment : segment.replaceAll(/(?<!\\)\*\*+/g, '*'),
    )
  const search = new Search(expander)
  const once = segments.filter((segment, at) => segment !== '**' || segments[at - 1] !== '**')
  if (once[0] === '') await search.follow('/', once.slice(1))
  else await search.follow('', once)
  return expander.filterGlobignore([...search.paths].sort())
}

const plain = (segment: string) => segment.replaceAll(/\\([\s\S])/g, '$1')

class Search {
  readonly paths = new Set<string>()
  readonly #expander: Expander
  readonly #dots: boolean

  constructor(expander: Expander) {
    this.#expander = expander
    this.#dots = expander.dotglob || expander.hasGlobignore
  }

  /** @param prefix - empty, or a directory with a slash. @param own - the prefix as `**` at the end matches it. */
  async follow(prefix: string, [segment = '', ...rest]: readonly string[], own = prefix): Promise<void> {
    if (segment === '**') return this.#everywhere(prefix, rest, own)
    const isPattern = this.#expander.hasGlobChars(segment.replaceAll(/\\[\s\S]/g, ''))
    for (const name of isPattern ? await this.#matching(prefix, segment) : [plain(segment)]) {
      const path = `${prefix}${name}`
      if (rest.length > 0) {
        if (await this.#is(path, true))
          await this.follow(`${path}/`, rest, isPattern || own !== prefix ? path : `${path}/`)
      } else if (isPattern || (await this.#is(path, name === ''))) this.paths.add(path)
    }
  }

  async #everywhere(prefix: string, rest: readonly string[], own: string): Promise<void> {
    if (rest.length === 0 && own !== '') this.paths.add(own)
    if (rest.length > 0 && !(prefix === '' && rest[0] === ''))
      await this.follow(prefix, rest, prefix.slice(0, -1))
    for (const { name, isDirectory } of await this.#list(prefix)) {
      if (name.startsWith('.') && !this.#dots) continue
      if (rest.length === 0) this.paths.add(`${prefix}${name}`)
      if (isDirectory) await this.#everywhere(`${prefix}${name}/`, rest, '')
    }
  }

  async #matching(prefix: string, segment: string): Promise<string[]> {
    const dots = this.#dots || segment.startsWith('.') || segment.startsWith('\\.')
    const names = (await this.#list(prefix)).map(({ name }) => name)
    const { nocase } = this.#expander
    const wanted = nocase ? segment.toLowerCase() : segment
    return names.filter(
      (name) =>
        (dots || !name.startsWith('.')) &&
        this.#expander.matchPattern(nocase ? name.toLowerCase() : name, wanted),
    )
  }

  async #list(path: string): Promise<readonly Entry[]> {
    this.#expander.checkOpsLimit()
    const { fs } = this.#expander
    return (await fs.readdirWithFileTypes?.(this.#resolve(path)).catch(() => [])) ?? []
  }

  async #is(path: string, directory: boolean): Promise<boolean> {
    const { fs } = this.#expander
    const known = directory ? fs.stat(this.#resolve(path)) : fs.lstat(this.#resolve(path))
    const stat = await known.catch(() => undefined)
    return stat !== undefined && (stat.isDirectory || !directory)
  }

  #resolve(path: string): string {
    const { fs, cwd } = this.#expander
    return fs.resolvePath(cwd, path === '' ? '.' : path)
  }
}
