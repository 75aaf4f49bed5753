import { reason } from '../commands/command.ts'
import type { CommandContext } from '../just-bash.ts'
import { decode, encode, textOf, toBytes } from '../text/bytes.ts'
import { AwkError } from './lexer.ts'
import { RecordReader } from './reader.ts'

interface OutputFile {
  readonly path: string
  chunks: string[]
  /** Whether what is written goes behind what the file has. */
  appends: boolean
}

/** Everything that a program reads and writes. */
export class Streams {
  readonly #context: CommandContext
  #out: string[] = []
  #size = 0
  readonly #limit: number
  #errors = ''
  readonly #files = new Map<string, OutputFile>()
  readonly #pipes = new Map<string, string[]>()
  readonly #readers = new Map<string, RecordReader>()
  #stdinTaken = false

  constructor(context: CommandContext) {
    this.#context = context
    this.#limit = context.limits.maxStringLength
  }

  /** Bytes as latin1. */
  get stdout(): string {
    return encode(this.#out.join(''))
  }

  get stderr(): string {
    return this.#errors
  }

  warn(message: string): void {
    this.#errors += `awk: ${message}\n`
  }

  write(text: string): void {
    this.#count(text)
    this.#out.push(text)
  }

  #count(text: string): void {
    this.#size += text.length
    if (this.#size > this.#limit) throw new AwkError(`output is longer than ${this.#limit} characters`)
  }

  /** Writes to a file or a command that runs when it is closed. */
  writeTo(mode: string, name: string, text: string): void {
    if (name === '') throw new AwkError(`expression for \`${mode}' redirection has null string value`)
    if (mode !== '|' && (name === '/dev/stdout' || name === '-')) {
      this.write(text)
      return
    }
    this.#count(text)
    if (mode !== '|' && name === '/dev/stderr') {
      this.#errors += text
      return
    }
    if (mode === '|') {
      const chunks = this.#pipes.get(name) ?? []
      chunks.push(text)
      this.#pipes.set(name, chunks)
      return
    }
    let file = this.#files.get(name)
    if (file === undefined) {
      file = {
        path: this.#context.fs.resolvePath(this.#context.cwd, name),
        chunks: [],
        appends: mode === '>>',
      }
      this.#files.set(name, file)
    }
    file.chunks.push(text)
  }

  /** The reader of a file; undefined where it cannot be read. */
  async fileReader(name: string): Promise<RecordReader | undefined> {
    const known = this.#readers.get(name)
    if (known !== undefined) return known
    await this.flush()
    const text = await this.readText(name).catch(() => undefined)
    return text === undefined ? undefined : this.#keep(name, text)
  }

  /** The reader of a command's output. */
  async commandReader(command: string): Promise<RecordReader> {
    const known = this.#readers.get(command)
    if (known !== undefined) return known
    await this.flush()
    const answer = await this.#exec(command, '')
    return this.#keep(command, answer.stdout)
  }

  #keep(name: string, text: string): RecordReader {
    const reader = new RecordReader(text)
    this.#readers.set(name, reader)
    return reader
  }

  /** The text of a file or of stdin. */
  async readText(name: string): Promise<string> {
    if (name === '-' || name === '/dev/stdin') {
      const taken = this.#stdinTaken
      this.#stdinTaken = true
      return taken ? '' : decode(String(this.#context.stdin))
    }
    const path = this.#context.fs.resolvePath(this.#context.cwd, name)
    return textOf(await this.#context.fs.readFileBuffer(path))
  }

  async system(command: string): Promise<number> {
    await this.flush()
    const answer = await this.#exec(command, '')
    this.write(answer.stdout)
    return answer.exitCode
  }

  async close(name: string): Promise<number> {
    let found = this.#readers.delete(name)
    const chunks = this.#pipes.get(name)
    if (chunks !== undefined) {
      this.#pipes.delete(name)
      await this.flush()
      const answer = await this.#exec(name, encode(chunks.join('')))
      this.write(answer.stdout)
      return answer.exitCode
    }
    const file = this.#files.get(name)
    if (file !== undefined) {
      await this.#store(name, file)
      this.#files.delete(name)
      found = true
    }
    return found ? 0 : -1
  }

  /** Writes what files wait for. */
  async flush(): Promise<void> {
    for (const [name, file] of this.#files) await this.#store(name, file)
  }

  /** Writes the files, then runs the commands that were printed to. */
  async finish(): Promise<void> {
    await this.flush()
    for (const command of [...this.#pipes.keys()]) await this.close(command)
  }

  async #store(name: string, file: OutputFile): Promise<void> {
    if (file.appends && file.chunks.length === 0) return
    const bytes = toBytes(file.chunks.join(''))
    try {
      if (file.appends) await this.#context.fs.appendFile(file.path, bytes)
      else await this.#context.fs.writeFile(file.path, bytes)
    } catch (error) {
      this.#files.delete(name)
      throw new AwkError(`cannot redirect to \`${name}': ${reason(error)}`)
    }
    file.chunks = []
    file.appends = true
  }

  async #exec(command: string, stdin: string): Promise<{ stdout: string; exitCode: number }> {
    const { exec, cwd, exportedEnv, signal } = this.#context
    if (exec === undefined) throw new AwkError('commands cannot be run here')
    const answer = await exec(command, {
      cwd,
      env: { ...exportedEnv },
      stdin,
      stdinKind: 'bytes',
      ...(signal === undefined ? {} : { signal }),
    })
    this.#errors += answer.stderr
    const stdout = answer.stdoutKind === 'bytes' ? decode(answer.stdout) : answer.stdout
    return { stdout, exitCode: answer.exitCode }
  }
}
