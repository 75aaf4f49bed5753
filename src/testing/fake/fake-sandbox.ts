import { performance } from '../../async/clock.ts'
import type { FileStat } from '../../contract/shell-api.ts'
import { abortError } from '../../sandbox/abort-error.ts'
import {
  requireCode,
  requireCommand,
  requireContent,
  requirePath,
  resolveExecuteOptions,
} from '../../sandbox/arguments.ts'
import { type RemoveOptions, requirePlaces, requireRemoval } from '../../sandbox/file-arguments.ts'
import { validateLanguage } from '../../sandbox/language.ts'
import { optionsOf } from '../../sandbox/options-of.ts'
import type { ExecuteOptions, ExecutionEvent, FileInfo } from '../../sandbox/results.ts'
import { Sandbox } from '../../sandbox/sandbox.ts'
import { importDirectory } from '../../sandbox/transfer/import-directory.ts'
import { resolveTransfer, type TransferOptions, type TransferReport } from '../../sandbox/transfer/request.ts'
import { answerTo, type Prepared, resultOf } from './answer.ts'
import {
  type FakeCall,
  type FakeCommand,
  type FakeCommands,
  type FakeOutput,
  FakeTable,
  notFound,
  wordsOf,
} from './fake-command.ts'
import { MemoryFiles } from './memory-files.ts'

/** What a {@link FakeSandbox} begins with. */
export interface FakeSandboxOptions {
  /**
   * Files by their path: text, which is written as UTF-8, or bytes.
   *
   * @default {} (none)
   */
  readonly files?: Readonly<Record<string, string | Uint8Array>> | undefined
  /**
   * What commands come to: a table by their first word, or a script of the calls that come.
   *
   * @default {} (every command ends with exit code 127)
   */
  readonly commands?: FakeCommands | undefined
  /**
   * What code comes to, by the name of its interpreter.
   *
   * @default {} (code of every language ends with exit code 127)
   */
  readonly languages?: Readonly<Record<string, FakeOutput | FakeCommand>> | undefined
  /**
   * The directory where relative paths begin; absolute.
   *
   * @default '/workspace'
   */
  readonly cwd?: string | undefined
}

/** A command or code that a {@link FakeSandbox} was asked to run. */
export type FakeRecord = Omit<FakeCall, 'signal' | 'sandbox'>

/**
 * A sandbox for tests of code that uses one: files in memory, and commands that the test answers. It starts no worker, loads no
 * engine and has no shell: no variables, pipelines or redirections. Its files have neither links nor permissions, and calls do not
 * wait for each other.
 */
export class FakeSandbox extends Sandbox {
  /** The commands and code that were to run, in their order. */
  readonly calls: FakeRecord[] = []
  readonly #files: MemoryFiles
  readonly #commands: FakeTable
  readonly #languages: ReadonlyMap<string, FakeOutput | FakeCommand>

  /** @throws SandboxConfigError naming the option that is not valid */
  constructor(options: FakeSandboxOptions = {}) {
    super()
    optionsOf<FakeSandboxOptions>(options, ['files', 'commands', 'languages', 'cwd'])
    const { files = {}, commands = {}, languages = {}, cwd = '/workspace' } = options
    this.#files = new MemoryFiles(requirePath(cwd, 'cwd'))
    this.#commands = new FakeTable(commands)
    this.#languages = new Map(Object.entries(languages))
    for (const [path, content] of Object.entries(files)) {
      const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : requireContent(content)
      this.#files.write(requirePath(path), bytes)
    }
  }

  /** Steps of the script that no command has taken yet; 0 without a script. */
  get stepsLeft(): number {
    return this.#commands.stepsLeft
  }

  override executeStreaming(
    command: string,
    options?: ExecuteOptions,
  ): AsyncGenerator<ExecutionEvent, void, undefined> {
    return this.#run(options, () => {
      const call = { command: requireCommand(command), words: wordsOf(command) }
      return { ...call, answer: () => this.#commands.answerTo(call) }
    })
  }

  override executeCodeStreaming(
    code: string,
    language: string,
    options?: ExecuteOptions,
  ): AsyncGenerator<ExecutionEvent, void, undefined> {
    return this.#run(options, () => {
      const name = validateLanguage(language)
      const answer = () => this.#languages.get(name) ?? notFound(name)
      return { command: requireCode(code), words: [], language: name, answer }
    })
  }

  override async readFile(path: string): Promise<Uint8Array> {
    return this.#files.read(requirePath(path))
  }

  override async writeFile(path: string, content: Uint8Array): Promise<void> {
    this.#files.write(requirePath(path), requireContent(content))
  }

  override async removeFile(path: string, options?: RemoveOptions): Promise<void> {
    const removal = requireRemoval(path, options)
    this.#files.remove(removal.path, removal.recursive)
  }

  override async listFiles(path: string): Promise<FileInfo[]> {
    return this.#files.list(requirePath(path))
  }

  override async exists(path: string): Promise<boolean> {
    return this.#files.exists(requirePath(path))
  }

  override async stat(path: string): Promise<FileStat> {
    return this.#files.stat(requirePath(path))
  }

  override async makeDirectory(path: string): Promise<void> {
    this.#files.makeDirectory(requirePath(path))
  }

  override async move(from: string, to: string): Promise<void> {
    const places = requirePlaces('move', from, to)
    this.#files.move(places.from, places.to)
  }

  override async copy(from: string, to: string): Promise<void> {
    const places = requirePlaces('copy', from, to)
    this.#files.copy(places.from, places.to)
  }

  override async appendFile(path: string, content: Uint8Array): Promise<void> {
    const bytes = requireContent(content)
    this.#files.append(requirePath(path), bytes)
  }

  /** As that of every sandbox, but that no file stays executable: files here have no permissions. */
  override async importDirectory(
    hostPath: string,
    path: string,
    options?: TransferOptions,
  ): Promise<TransferReport> {
    const request = resolveTransfer(hostPath, path, options)
    return importDirectory(
      {
        execute: async () => resultOf(''),
        listFiles: (at) => this.listFiles(at),
        stat: (at) => this.stat(at),
        readFile: (at) => this.readFile(at),
        writeFile: (at, content) => this.writeFile(at, content),
        makeDirectory: (at) => this.makeDirectory(at),
      },
      request,
    )
  }

  async *#run(
    options: ExecuteOptions | undefined,
    prepare: () => Prepared,
  ): AsyncGenerator<ExecutionEvent, void, undefined> {
    const { timeout, signal, cwd = '.', env = [], stdin = new Uint8Array() } = resolveExecuteOptions(options)
    const { answer, ...asked } = prepare()
    if (signal?.aborted) throw abortError(signal)
    const record = { ...asked, cwd: this.#files.absolute(cwd), env: Object.fromEntries(env), stdin }
    this.calls.push(record)
    const begun = performance.now()
    const output = await answerTo({ ...record, sandbox: this }, answer, { seconds: timeout, signal })
    const result = resultOf(output, performance.now() - begun)
    for (const streamType of ['stdout', 'stderr'] as const) {
      if (result[streamType] !== '') yield { type: 'streamChunk', data: result[streamType], streamType }
    }
    yield result
  }
}
