import { gunzipSync, gzipSync } from 'node:zlib'
import type { CommandContext } from '../just-bash.ts'
import type { Interpreter } from '../session/session.ts'
import { archiveOf, membersOf } from '../tar/archive.ts'
import { type Gathered, gather } from '../tar/create.ts'
import { Extractor } from '../tar/extract.ts'
import { Listing } from '../tar/listing.ts'
import { excluding, Wanted } from '../tar/names.ts'
import { type Operand, readTar, type TarOptions } from '../tar/options.ts'
import { otherTar } from '../tar/other-compression.ts'
import { decode } from '../text/bytes.ts'
import { type Answer, bytes, failed, type OwnCommand, readInput, reason } from './command.ts'

const TRY = "\nTry 'tar --help' or 'tar --usage' for more information."
const FAILED = 'tar: Exiting with failure status due to previous errors\n'
const FATAL = '\ntar: Error is not recoverable: exiting now'

const SUFFIXES: readonly (readonly [suffix: RegExp, compression: TarOptions['compression']])[] = [
  [/\.(?:gz|tgz|taz)$/, 'z'],
  [/\.(?:bz2|tbz2?|tz2)$/, 'j'],
  [/\.(?:xz|txz)$/, 'J'],
  [/\.(?:zst|tzst)$/, 'zstd'],
]

const OTHERS: ReadonlySet<TarOptions['compression']> = new Set(['j', 'J', 'zstd'])

/** What compressed archives begin with, as latin1. */
const isGzip = (data: string) => data.startsWith('\x1f\x8b')
const isOther = (data: string) => /^(?:BZh|\xfd7zXZ\0|\x28\xb5\x2f\xfd)/.test(data)

/** One run of `tar`. */
class Tar {
  readonly #options: TarOptions
  readonly #args: readonly string[]
  readonly #context: CommandContext
  readonly #interpreter: Interpreter

  constructor(
    options: TarOptions,
    args: readonly string[],
    context: CommandContext,
    interpreter: Interpreter,
  ) {
    this.#options = options
    this.#args = args
    this.#context = context
    this.#interpreter = interpreter
  }

  /** @throws Error where a directory of `-C`, or a list of names, cannot be read */
  async run(): Promise<Answer> {
    const { mode, archive } = this.#options
    if (mode === undefined)
      return failed(
        'tar',
        `You must specify one of the '-Acdtrux', '--delete' or '--test-label' options${TRY}`,
        2,
      )
    for (const operand of [...this.#options.operands, this.#last()]) await this.#enter(operand)
    const excluded = [...this.#options.excluded, ...(await this.#lines(this.#options.excludedIn))]
    const listed = (await this.#lines(this.#options.listedIn)).map((name) => ({ ...this.#last(), name }))
    const operands = [...this.#options.operands, ...listed]
    if (mode === 'c') return this.#create(operands, excluded)
    let data: string
    try {
      data = await readInput(archive, this.#context)
    } catch (error) {
      if (mode === 'r' && reason(error) === 'No such file or directory')
        return this.#create(operands, excluded)
      return failed('tar', `${archive}: Cannot open: ${reason(error)}${FATAL}`, 2)
    }
    if (isOther(data) || OTHERS.has(this.#options.compression)) return otherTar(this.#args, this.#context)
    return mode === 'r' ? this.#append(data, operands, excluded) : this.#read(data, operands, excluded)
  }

  /** The directory that the last `-C` names. */
  #last(): Operand {
    return { name: '', directories: this.#options.directories }
  }

  #place({ directories }: Operand): string {
    const { fs, cwd } = this.#context
    return directories.reduce((place, next) => fs.resolvePath(place, next), cwd)
  }

  async #enter(operand: Operand): Promise<void> {
    const last = operand.directories.at(-1)
    if (last === undefined) return
    const stat = await this.#context.fs.stat(this.#place(operand)).catch(() => undefined)
    if (stat?.isDirectory !== true) throw new Error(`${last}: Cannot open: No such file or directory${FATAL}`)
  }

  async #lines(paths: readonly string[]): Promise<string[]> {
    const lines: string[] = []
    for (const path of paths) {
      const text = await readInput(path, this.#context).catch((error: unknown) => {
        throw new Error(`${path}: Cannot open: ${reason(error)}${FATAL}`)
      })
      lines.push(
        ...decode(text)
          .split('\n')
          .filter((line) => line !== ''),
      )
    }
    return lines
  }

  #gather(operands: readonly Operand[], excluded: readonly string[]) {
    const { fs, cwd } = this.#context
    const { archive } = this.#options
    return gather(operands, {
      options: this.#options,
      context: this.#context,
      place: (operand) => this.#place(operand),
      archive: archive === '-' ? '' : fs.resolvePath(cwd, archive),
      excluded,
      step: () => this.#interpreter.stop.step(),
    })
  }

  async #create(operands: readonly Operand[], excluded: readonly string[]): Promise<Answer> {
    const { archive, compression } = this.#options
    const by = compression === 'a' ? SUFFIXES.find(([suffix]) => suffix.test(archive))?.[1] : compression
    if (OTHERS.has(by)) return otherTar(this.#args, this.#context)
    if (operands.length === 0) return failed('tar', `Cowardly refusing to create an empty archive${TRY}`, 2)
    const gathered = await this.#gather(operands, excluded)
    const plain = archiveOf(gathered.members)
    return this.#written(gathered, by === 'z' ? gzipSync(plain) : plain)
  }

  async #append(data: string, operands: readonly Operand[], excluded: readonly string[]): Promise<Answer> {
    if (isGzip(data)) return failed('tar', `Cannot update compressed archives${FATAL}`, 2)
    const old = Buffer.from(data, 'latin1')
    const { end, fault } = membersOf(old)
    if (fault !== undefined) return failed('tar', `This does not look like a tar archive${FATAL}`, 2)
    const gathered = await this.#gather(operands, excluded)
    return this.#written(gathered, archiveOf(gathered.members, old.subarray(0, end)))
  }

  async #written(gathered: Gathered, archive: Buffer): Promise<Answer> {
    const listing = new Listing(false)
    const names = this.#options.flags.has('verbose') ? gathered.members.map((one) => listing.line(one)) : []
    return this.#answer(gathered, await this.#write(archive), names.join(''))
  }

  /** @returns what goes to standard output, or undefined where it went to the file. */
  async #write(data: Buffer): Promise<string | undefined> {
    const { archive } = this.#options
    const { fs, cwd } = this.#context
    if (archive === '-') return data.toString('latin1')
    await fs.writeFile(fs.resolvePath(cwd, archive), data).catch((error: unknown) => {
      throw new Error(`${archive}: Cannot open: ${reason(error)}${FATAL}`)
    })
    return undefined
  }

  /** The names of `-v` go to standard error where the archive goes to standard output. */
  #answer(
    { errors, failed: hasFailed }: { readonly errors: readonly string[]; readonly failed: boolean },
    data: string | undefined,
    names: string,
  ): Answer {
    const messages = errors.map((message) => `tar: ${message}\n`).join('') + (hasFailed ? FAILED : '')
    return {
      ...bytes(data ?? Buffer.from(names).toString('latin1'), hasFailed ? 2 : 0),
      stderr: (data === undefined ? '' : names) + messages,
    }
  }

  async #read(data: string, operands: readonly Operand[], excluded: readonly string[]): Promise<Answer> {
    const { mode, flags } = this.#options
    const archive = this.#uncompressed(data)
    if (typeof archive === 'string') return failed('tar', archive, 2)
    const { members, fault } = membersOf(archive)
    const place = this.#place(this.#last())
    const { umask } = this.#interpreter.files
    const extractor = new Extractor({ options: this.#options, context: this.#context, place, umask })
    const wanted = new Wanted(
      operands.map(({ name }) => name),
      flags.has('wildcards'),
    )
    const isExcluded = excluding(excluded)
    const listing = new Listing(mode === 't' && flags.has('verbose'))
    let output = ''
    let names = ''
    for (const member of members) {
      this.#interpreter.stop.step()
      if (!wanted.has(member.name) || isExcluded(member.name)) continue
      if (mode === 't' || flags.has('verbose')) names += listing.line(member)
      if (mode === 't') continue
      if (flags.has('stdout')) output += member.content.toString('latin1')
      else await extractor.add(member)
    }
    await extractor.end()
    for (const name of wanted.missing) extractor.errors.push(`${name}: Not found in archive`)
    if (fault === 'none') extractor.errors.push('This does not look like a tar archive')
    if (fault === 'cut') extractor.errors.push(`Unexpected EOF in archive${FATAL}`)
    const hasFailed = extractor.failed || wanted.missing.length > 0 || fault !== undefined
    return this.#answer(
      { errors: extractor.errors, failed: hasFailed },
      flags.has('stdout') && mode === 'x' ? output : undefined,
      names,
    )
  }

  #uncompressed(data: string): Buffer | string {
    const { compression, archive } = this.#options
    const isPacked = isGzip(data)
    if (!isPacked && compression === 'z')
      return `Child returned status 1: the archive is not in gzip format${FATAL}`
    if (isPacked && archive === '-' && compression !== 'z')
      return `Archive is compressed. Use -z option${FATAL}`
    const packed = Buffer.from(data, 'latin1')
    if (!isPacked) return packed
    const most = this.#context.limits.maxStringLength
    try {
      return gunzipSync(packed, { maxOutputLength: most })
    } catch {
      return `the archive is damaged, or has more than the ${most} bytes that fit here${FATAL}`
    }
  }
}

/** `tar` of archives that are plain or by gzip. */
export const tar: OwnCommand = {
  name: 'tar',
  async run(args, context, interpreter) {
    const options = readTar(args)
    if (typeof options === 'string') return failed('tar', `${options}${TRY}`, 64)
    try {
      return await new Tar(options, args, context, interpreter).run()
    } catch (error) {
      if (interpreter.stop.ending) throw error
      return failed('tar', reason(error), 2)
    }
  },
}
