import { reason } from '../commands/command.ts'
import type { CommandContext } from '../just-bash.ts'
import { decode, textOf, toBytes } from '../text/bytes.ts'
import { SedError } from './script.ts'

/** Text that is written in pieces. A line without its end gets it when more follows. */
export class SedOutput {
  readonly #pieces: string[] = []
  readonly #end: string
  #unended = false

  constructor(end: string) {
    this.#end = end
  }

  line(text: string, ended = true): void {
    this.#pieces.push(this.#unended ? this.#end : '', text, ended ? this.#end : '')
    this.#unended = !ended
  }

  raw(text: string): void {
    if (text === '') return
    this.#pieces.push(this.#unended ? this.#end : '', text)
    this.#unended = false
  }

  get text(): string {
    return this.#pieces.join('')
  }
}

/** The files that a script reads and writes by name. */
export class SedFiles {
  readonly #context: CommandContext
  readonly #end: string
  readonly #written = new Map<string, SedOutput>()
  readonly #read = new Map<string, string>()
  readonly #lines = new Map<string, string[]>()
  /** What goes to `/dev/stdout` and `/dev/stderr`. */
  readonly stdout: SedOutput
  readonly stderr: SedOutput

  constructor(context: CommandContext, end: string, stdout: SedOutput) {
    this.#context = context
    this.#end = end
    this.stdout = stdout
    this.stderr = new SedOutput(end)
  }

  /** Reads ahead what `r` and `R` ask for. A file that is not there is empty. */
  async prepare(names: readonly string[]): Promise<void> {
    for (const name of names) this.#read.set(name, await this.load(name).catch(() => ''))
  }

  async load(name: string): Promise<string> {
    if (name === '-' || name === '/dev/stdin') return decode(String(this.#context.stdin))
    const { fs, cwd } = this.#context
    return textOf(await fs.readFileBuffer(fs.resolvePath(cwd, name)))
  }

  content(name: string): string {
    return this.#written.get(name)?.text ?? this.#read.get(name) ?? ''
  }

  /** The next line of a file that `R` reads. */
  nextLine(name: string): string | undefined {
    let lines = this.#lines.get(name)
    if (lines === undefined) {
      lines = this.content(name).split(this.#end)
      if (lines.at(-1) === '') lines.pop()
      this.#lines.set(name, lines)
    }
    return lines.shift()
  }

  /** The output of a name; a file is made even where nothing is written to it. */
  output(name: string): SedOutput {
    if (name === '/dev/stdout') return this.stdout
    if (name === '/dev/stderr') return this.stderr
    const output = this.#written.get(name) ?? new SedOutput(this.#end)
    this.#written.set(name, output)
    return output
  }

  async store(): Promise<void> {
    for (const [name, output] of this.#written) await this.save(name, output.text)
  }

  async save(name: string, text: string): Promise<void> {
    const { fs, cwd } = this.#context
    const full = fs.resolvePath(cwd, name)
    const mode = (await fs.stat(full).catch(() => undefined))?.mode
    try {
      await fs.writeFile(full, toBytes(text))
      // Writing a file gives it a new mode here.
      if (mode !== undefined) await fs.chmod(full, mode & 0o7777)
    } catch (error) {
      throw new SedError(`couldn't open file ${name}: ${reason(error)}`, 4)
    }
  }

  /** As GNU sed does with `-i`: in place of a link there is a file then. */
  async replace(name: string, text: string): Promise<void> {
    const { fs, cwd } = this.#context
    const full = fs.resolvePath(cwd, name)
    const { isSymbolicLink } = await fs.lstat(full)
    const { mode } = await fs.stat(full)
    if (isSymbolicLink) await fs.rm(full)
    await this.save(name, text)
    if (isSymbolicLink) await fs.chmod(full, mode & 0o7777)
  }

  /** Copies a file before it is changed: `*` in the suffix is its name. */
  async backUp(name: string, suffix: string): Promise<void> {
    const { fs, cwd } = this.#context
    const at = name.lastIndexOf('/') + 1
    const base = name.slice(at)
    const copy = suffix.includes('*') ? suffix.replaceAll('*', base) : base + suffix
    const full = fs.resolvePath(cwd, name)
    await fs.writeFile(
      fs.resolvePath(cwd, copy.includes('/') ? copy : name.slice(0, at) + copy),
      new Uint8Array(await fs.readFileBuffer(full)),
    )
  }
}
