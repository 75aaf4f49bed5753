import { createHash } from 'node:crypto'
import type { CommandContext } from '../just-bash.ts'
import { type Answer, failed, type OwnCommand, readInput, reason } from './command.ts'
import { isGiven, readOptions } from './options.ts'

const OPTIONS = {
  binary: { type: 'boolean', short: 'b' },
  text: { type: 'boolean', short: 't' },
  check: { type: 'boolean', short: 'c' },
  tag: { type: 'boolean' },
  'ignore-missing': { type: 'boolean' },
  quiet: { type: 'boolean' },
  status: { type: 'boolean' },
  strict: { type: 'boolean' },
  warn: { type: 'boolean', short: 'w' },
} as const

/** `digest  name`, `digest *name` and `SHA256 (name) = digest`. */
const LINE = /^([0-9a-fA-F]+) [ *](.+)$/
const TAGGED = /^([A-Z0-9-]+) \((.+)\) = ([0-9a-fA-F]+)$/

/** Prints digests of files, and checks those that lists name. */
class Digests {
  readonly #name: string
  readonly #algorithm: string
  readonly #tag: string
  readonly #context: CommandContext
  readonly #flags: ReadonlySet<string>
  #stdout = ''
  #stderr = ''
  #failed = false

  constructor(
    program: { readonly name: string; readonly algorithm: string; readonly tag: string },
    context: CommandContext,
    flags: ReadonlySet<string>,
  ) {
    this.#name = program.name
    this.#algorithm = program.algorithm
    this.#tag = program.tag
    this.#context = context
    this.#flags = flags
  }

  async run(paths: readonly string[]): Promise<Answer> {
    for (const path of paths.length === 0 ? ['-'] : paths)
      await (this.#flags.has('check') ? this.#check(path) : this.#print(path))
    return { stdout: this.#stdout, stderr: this.#stderr, exitCode: this.#failed ? 1 : 0, stdoutKind: 'text' }
  }

  async #print(path: string): Promise<void> {
    const digest = await this.#digest(path)
    if (digest === undefined) return
    const mark = this.#flags.has('binary') ? '*' : ' '
    this.#stdout += this.#flags.has('tag')
      ? `${this.#tag} (${path}) = ${digest}\n`
      : `${digest} ${mark}${path}\n`
  }

  /** Undefined where the file cannot be read, which is told. */
  async #digest(path: string): Promise<string | undefined> {
    const content = await this.#read(path)
    return content && createHash(this.#algorithm).update(content).digest('hex')
  }

  async #read(path: string): Promise<Buffer | undefined> {
    try {
      return Buffer.from(await readInput(path, this.#context), 'latin1')
    } catch (error) {
      this.#fail(`${path}: ${reason(error)}`)
      return undefined
    }
  }

  async #check(list: string): Promise<void> {
    const content = await this.#read(list)
    if (content === undefined) return
    const lines = content
      .toString()
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
    const entries = lines.map((line) => this.#entryOf(line))
    const known = entries.filter((entry) => entry !== undefined)
    const shown = list === '-' ? 'standard input' : list
    if (known.length === 0) {
      this.#fail(`${shown}: no properly formatted checksum lines found`)
      return
    }
    const counts = { right: 0, wrong: 0, unread: 0, missing: 0 }
    for (const { path, digest } of known) counts[await this.#verify(path, digest)] += 1
    const malformed = entries.length - known.length
    if (malformed > 0 && this.#flags.has('strict')) this.#failed = true
    this.#warn(malformed, 'line is improperly formatted', 'lines are improperly formatted')
    this.#warn(counts.unread, 'listed file could not be read', 'listed files could not be read')
    this.#warn(counts.wrong, 'computed checksum did NOT match', 'computed checksums did NOT match')
    if (counts.missing === known.length) this.#fail(`${shown}: no file was verified`)
  }

  #entryOf(line: string): { readonly path: string; readonly digest: string } | undefined {
    const [, digest, path] = LINE.exec(line) ?? []
    if (digest !== undefined && path !== undefined) return { path, digest }
    const [, tag, tagged, value] = TAGGED.exec(line) ?? []
    return tag === this.#tag && tagged !== undefined && value !== undefined
      ? { path: tagged, digest: value }
      : undefined
  }

  async #verify(path: string, digest: string): Promise<'right' | 'wrong' | 'unread' | 'missing'> {
    const { fs, cwd } = this.#context
    if (this.#flags.has('ignore-missing') && !(await fs.exists(fs.resolvePath(cwd, path)))) return 'missing'
    const actual = await this.#digest(path)
    const told = actual === undefined ? 'unread' : actual === digest.toLowerCase() ? 'right' : 'wrong'
    if (told !== 'right') this.#failed = true
    const words = { right: 'OK', wrong: 'FAILED', unread: 'FAILED open or read' }
    const silent = this.#flags.has('status') || (told === 'right' && this.#flags.has('quiet'))
    if (!silent) this.#stdout += `${path}: ${words[told]}\n`
    return told
  }

  #warn(count: number, one: string, many: string): void {
    if (count === 0 || this.#flags.has('status')) return
    this.#stderr += `${this.#name}: WARNING: ${count} ${count === 1 ? one : many}\n`
  }

  #fail(message: string): void {
    this.#failed = true
    this.#stderr += `${this.#name}: ${message}\n`
  }
}

/** The program that prints and checks digests by an algorithm. */
function digests(name: string, algorithm: string, tag: string): OwnCommand {
  return {
    name,
    run(args, context) {
      const read = readOptions(name, args, OPTIONS)
      if (!isGiven(read)) return read
      const { flags, operands } = read
      const checks = ['ignore-missing', 'quiet', 'status', 'strict', 'warn'].find((one) => flags.has(one))
      if (checks !== undefined && !flags.has('check'))
        return failed(name, `the --${checks} option is meaningful only when verifying checksums`)
      return new Digests({ name, algorithm, tag }, context, flags).run(operands)
    },
  }
}

export const md5sum = digests('md5sum', 'md5', 'MD5')
export const sha1sum = digests('sha1sum', 'sha1', 'SHA1')
export const sha224sum = digests('sha224sum', 'sha224', 'SHA224')
export const sha256sum = digests('sha256sum', 'sha256', 'SHA256')
export const sha384sum = digests('sha384sum', 'sha384', 'SHA384')
export const sha512sum = digests('sha512sum', 'sha512', 'SHA512')
export const b2sum = digests('b2sum', 'blake2b512', 'BLAKE2b')
