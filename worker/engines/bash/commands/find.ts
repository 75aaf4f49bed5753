import { type Actions, type Entry, FindError, type FindRequest } from '../find/nodes.ts'
import { parseFind } from '../find/parse.ts'
import type { CommandContext } from '../just-bash.ts'
import { PatternError } from '../text/bracket.ts'
import { encode, toBytes } from '../text/bytes.ts'
import { quoted } from '../text/quoted.ts'
import { type Answer, failed, type OwnCommand, reason } from './command.ts'
import { type FileFacts, factsOf, leadsThrough } from './file-facts.ts'

/** Paths that one call of `-exec … +` gets at most. */
const MOST_PATHS = 2000

interface Batch {
  readonly words: readonly string[]
  readonly folder: string | undefined
  readonly paths: string[]
}

/** Ends a search. */
class Quit extends Error {}

/** One search, with what it prints and fails at. */
class Search implements Actions {
  readonly #request: FindRequest
  readonly #context: CommandContext
  readonly #step: () => void
  readonly #batches: Batch[] = []
  readonly #written = new Map<string, string>()
  #pruned = false
  stdout = ''
  stderr = ''
  exitCode = 0

  constructor(request: FindRequest, context: CommandContext, step: () => void) {
    this.#request = request
    this.#context = context
    this.#step = step
  }

  async all(): Promise<void> {
    try {
      for (const start of this.#request.starts)
        await this.#visit(start, start, this.#context.fs.resolvePath(this.#context.cwd, start), 0)
    } catch (error) {
      if (!(error instanceof Quit)) throw error
    }
    for (const { words, folder, paths } of this.#batches)
      for (let at = 0; at < paths.length; at += MOST_PATHS)
        if (!(await this.run([...words, ...paths.slice(at, at + MOST_PATHS)], folder))) this.exitCode = 1
    for (const [path, text] of this.#written)
      await this.#context.fs.writeFile(this.#context.fs.resolvePath(this.#context.cwd, path), toBytes(text))
  }

  async #visit(path: string, start: string, full: string, depth: number): Promise<void> {
    this.#step()
    const { follow } = this.#request
    const follows = follow === 'always' || (depth === 0 && (follow === 'starts' || leadsThrough(path)))
    const at = { ...this.#context, cwd: '/' }
    let facts = await factsOf(full, at, follows).catch(() => undefined)
    if (facts === undefined && follows) facts = await factsOf(full, at, false).catch(() => undefined)
    if (facts === undefined) return this.#fail(`‘${path}’: No such file or directory`)
    const entry: Entry = { path, start, full, depth, facts: { ...facts, path } }
    this.#pruned = false
    if (!this.#request.depthFirst) await this.#test(entry)
    const pruned = this.#pruned && !this.#request.depthFirst
    if (facts.kind === 'directory' && depth < this.#request.most && !pruned) await this.#below(entry)
    if (this.#request.depthFirst) await this.#test(entry)
  }

  async #below({ path, start, full, depth }: Entry): Promise<void> {
    const names = await this.#context.fs.readdir(full).catch((error: unknown) => {
      this.#fail(`‘${path}’: ${reason(error)}`)
      return []
    })
    for (const name of [...names].sort()) {
      const separator = path.endsWith('/') ? '' : '/'
      await this.#visit(`${path}${separator}${name}`, start, `${full === '/' ? '' : full}/${name}`, depth + 1)
    }
  }

  async #test(entry: Entry): Promise<void> {
    if (entry.depth >= this.#request.least) await this.#request.test(entry, this)
  }

  #fail(message: string): void {
    this.stderr += `find: ${message}\n`
    this.exitCode = 1
  }

  print(text: string): void {
    this.stdout += encode(text)
  }

  write(path: string, text: string): void {
    this.#written.set(path, (this.#written.get(path) ?? '') + text)
  }

  async run(words: readonly string[], folder: string | undefined): Promise<boolean> {
    const { exec, cwd, exportedEnv, signal } = this.#context
    if (exec === undefined) throw new FindError('commands cannot be run here')
    const answer = await exec(words.map(quoted).join(' '), {
      cwd: folder ?? cwd,
      env: { ...exportedEnv },
      stdin: '',
      stdinKind: 'bytes',
      ...(signal === undefined ? {} : { signal }),
    })
    this.stdout += answer.stdoutKind === 'bytes' ? answer.stdout : encode(answer.stdout)
    this.stderr += answer.stderr
    return answer.exitCode === 0
  }

  collect(words: readonly string[], path: string, folder: string | undefined): void {
    const batch = this.#batches.find((one) => one.words === words && one.folder === folder)
    if (batch === undefined) this.#batches.push({ words, folder, paths: [path] })
    else batch.paths.push(path)
  }

  async remove({ path, full, facts }: Entry): Promise<boolean> {
    if (path === '.') return true
    try {
      if (facts.kind === 'directory' && (await this.#context.fs.readdir(full)).length > 0)
        throw new Error('Directory not empty')
      await this.#context.fs.rm(full, { recursive: facts.kind === 'directory' })
      return true
    } catch (error) {
      this.#fail(`cannot delete ‘${path}’: ${reason(error)}`)
      return false
    }
  }

  async followed({ full, facts }: Entry): Promise<FileFacts | undefined> {
    if (facts.kind !== 'symbolic link') return facts
    return factsOf(full, { ...this.#context, cwd: '/' }, true).catch(() => undefined)
  }

  async isEmpty({ full, facts }: Entry): Promise<boolean> {
    if (facts.kind === 'directory') return (await this.#context.fs.readdir(full)).length === 0
    return facts.kind === 'regular file' && facts.size === 0
  }

  prune(): void {
    this.#pruned = true
  }

  quit(): never {
    throw new Quit()
  }
}

/** `find [-L] [path…] [expression]`. Entries of a directory come by name. */
export const find: OwnCommand = {
  name: 'find',
  async run(args, context, { stop }): Promise<Answer> {
    const modifiedOf = async (path: string) =>
      (await context.fs.stat(context.fs.resolvePath(context.cwd, path))).mtime.getTime()
    try {
      const search = new Search(await parseFind(args, modifiedOf), context, () => stop.step())
      await search.all()
      const { stdout, stderr, exitCode } = search
      return { stdout, stderr, exitCode, stdoutKind: 'bytes' }
    } catch (error) {
      if (error instanceof FindError || error instanceof PatternError) return failed('find', error.message)
      throw error
    }
  },
}
