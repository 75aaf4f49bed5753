import type { CheckpointPart, OmittedPart } from '../../../src/contract/checkpoint.ts'
import type { OutputChunk } from '../../../src/contract/host-commands.ts'
import type {
  ApplyReport,
  ApplyRequest,
  ChangeReport,
  CodeRequest,
  CommandOutput,
  CommandRequest,
  CommandScope,
  FileEntry,
  FileStat,
  Outcome,
  ShellDescription,
} from '../../../src/contract/shell-api.ts'
import type { BashRecord } from '../../../src/contract/shell-record.ts'
import { commandOutput } from '../../service/command-output.ts'
import type { EngineShell } from '../../service/engine-shell.ts'
import { fileFailure } from '../../service/file-failure.ts'
import type { FileOperation } from '../../service/file-operation.ts'
import type { Binds } from './binds/binds.ts'
import { ShellCheckpoint } from './checkpoint/shell-checkpoint.ts'
import type { SessionState } from './checkpoint/state-changes.ts'
import { describeBash } from './describe.ts'
import type { MemoryFs, SandboxFs } from './files/memory-fs.ts'
import { SandboxFiles } from './files/sandbox-files.ts'
import { SandboxPlaces } from './files/sandbox-places.ts'
import type { ExecResult } from './just-bash.ts'
import type { Bounds } from './limits.ts'
import { bounded, cleaned } from './output.ts'
import type { SessionRules } from './rules/session-rules.ts'
import { codeScript, commandScript, type Script } from './script.ts'
import { copyState } from './session/interpreter-state.ts'
import { type Interpreter, type RunOptions, Session } from './session/session.ts'
import type { Stop } from './session/stop.ts'
import { stdinOf } from './stdin.ts'
import { StreamedOutput } from './streamed-output.ts'
import { isSyntaxError, syntaxError } from './text/syntax-error.ts'

/** The output of a command whose scope cannot be entered. */
const notRun = (stderr: string): CommandOutput => ({
  exitCode: 1,
  stdout: '',
  stderr,
  timedOut: false,
  truncated: false,
  durationMs: 0,
})

const refused = (message: string): Outcome<never> => ({ ok: false, error: { code: 'IO_ERROR', message } })

/** What a {@link BashShell} is made of. */
export interface BashShellParts {
  readonly interpreter: Interpreter
  /** The files of the interpreter. */
  readonly fs: SandboxFs
  /** Those of them that are in memory: what it has now is what a fresh session begins with. */
  readonly memory: MemoryFs
  /** Paths of the programs that every session has. */
  readonly programFiles: ReadonlySet<string>
  readonly binds: Binds
  readonly record: BashRecord
  readonly stop: Stop
  /** Takes the output of a streamed command as it comes. */
  readonly onOutput: (chunk: OutputChunk) => void
  /** What was left out of the host's directories that the session begins with. */
  readonly skipped: ShellDescription['skipped']
  /** Undefined: there are none. */
  readonly rules: SessionRules | undefined
}

/** A bash session: one interpreter, one file system, and the state that lasts between commands. */
export class BashShell implements EngineShell {
  readonly timeout: number
  readonly allowance = 0
  readonly #interpreter: Interpreter
  readonly #record: BashRecord
  readonly #bounds: Bounds
  readonly #stop: Stop
  readonly #fs: SandboxFs
  readonly #files: SandboxFiles
  readonly #places: SandboxPlaces
  readonly #checkpoint: ShellCheckpoint
  readonly #binds: Binds
  readonly #onOutput: (chunk: OutputChunk) => void
  readonly #rules: SessionRules | undefined
  #session: Session

  constructor(parts: BashShellParts) {
    const { interpreter, fs, memory, programFiles, binds, record, stop, onOutput, skipped, rules } = parts
    this.timeout = record.timeout ?? 30
    this.#interpreter = interpreter
    this.#record = record
    this.#bounds = record.limits
    this.#stop = stop
    this.#onOutput = onOutput
    this.#rules = rules
    this.#binds = binds
    this.#fs = fs
    this.#files = new SandboxFiles(fs, record.limits.maxFileSize)
    this.#places = new SandboxPlaces(fs)
    this.#session = new Session(interpreter)
    const fresh = { state: interpreter.fresh, traps: new Map(), umask: fs.umask }
    this.#checkpoint = new ShellCheckpoint(memory, fresh, { programs: programFiles, skipped, binds })
  }

  run({ command, ...request }: CommandRequest): Promise<Outcome<CommandOutput>> {
    return this.#execute(request, commandScript(command))
  }

  runCode({ code, language, ...request }: CodeRequest): Promise<Outcome<CommandOutput>> {
    return this.#execute(request, codeScript(code, language, this.#interpreter))
  }

  async #execute(request: Omit<CommandRequest, 'command'>, script: Script): Promise<Outcome<CommandOutput>> {
    const { scope, stream = false } = request
    const stdin = stdinOf(request, this.#bounds)
    const session = scope === undefined ? this.#session : await this.#scoped(scope)
    if (typeof session === 'string') return { ok: true, value: notRun(session) }
    const { files } = this.#interpreter
    const { umask } = files
    const streamed = stream ? this.#stream() : undefined
    const start = performance.now()
    const signal = this.#stop.begin(this.timeout * 1000)
    try {
      const result = await this.#result(session, script, {
        signal,
        ...(stdin === undefined ? {} : { stdin }),
        ...(streamed === undefined ? {} : { streamed }),
      })
      const durationMs = performance.now() - start
      const end = { stopped: this.#stop.reason, timeout: this.timeout, bounds: this.#bounds, durationMs }
      const output = streamed?.sent ?? bounded(result, end)
      return { ok: true, value: commandOutput(result.exitCode, output, end) }
    } finally {
      this.#stop.end()
      if (scope !== undefined) files.umask = umask
    }
  }

  #stream(): StreamedOutput {
    const clean = (stderr: string) => cleaned(stderr, this.#stop.reason)
    return new StreamedOutput(this.#bounds.maxOutput, { send: this.#onOutput, clean })
  }

  async #result(
    session: Session,
    { text, start }: Script,
    options: RunOptions,
  ): Promise<Pick<ExecResult, 'stdout' | 'stderr' | 'exitCode'>> {
    try {
      return await start(session, options)
    } catch (error) {
      if (!(error instanceof Error)) throw error
      const syntax = isSyntaxError(error)
      const stderr = `bash: ${syntax ? syntaxError(error, text) : error.message}\n`
      options.streamed?.ended({ stdout: '', stderr })
      return { stdout: '', stderr, exitCode: syntax ? 2 : 1 }
    }
  }

  readFile(path: string): Promise<Outcome<Uint8Array<ArrayBuffer>>> {
    return this.#file('readFile', path, (absolute) => this.#files.read(absolute))
  }

  writeFile(path: string, content: Uint8Array): Promise<Outcome<null>> {
    return this.#file('writeFile', path, (absolute) => this.#files.write(absolute, content))
  }

  appendFile(path: string, content: Uint8Array): Promise<Outcome<null>> {
    return this.#file('appendFile', path, (absolute) => this.#files.append(absolute, content))
  }

  removeFile(path: string, recursive: boolean): Promise<Outcome<null>> {
    return this.#file('removeFile', path, (absolute) =>
      recursive ? this.#places.remove(absolute) : this.#files.remove(absolute),
    )
  }

  makeDirectory(path: string): Promise<Outcome<null>> {
    return this.#file('makeDirectory', path, (absolute) => this.#files.makeDirectory(absolute))
  }

  move(from: string, to: string): Promise<Outcome<null>> {
    return this.#place('move', from, to)
  }

  copy(from: string, to: string): Promise<Outcome<null>> {
    return this.#place('copy', from, to)
  }

  listFiles(path: string): Promise<Outcome<FileEntry[]>> {
    return this.#file('listFiles', path, (absolute) => this.#files.list(absolute))
  }

  stat(path: string): Promise<Outcome<FileStat>> {
    return this.#file('stat', path, (absolute) => this.#files.stat(absolute))
  }

  async getEnv(name: string): Promise<Outcome<string | null>> {
    return { ok: true, value: this.#session.state.env.get(name) ?? null }
  }

  async setEnv(name: string, value: string): Promise<Outcome<null>> {
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) return refused(`${name} is not a variable's name.`)
    const { env, exportedVars, readonlyVars } = this.#session.state
    if (readonlyVars.has(name)) return refused(`${name} is a readonly variable.`)
    env.set(name, value)
    exportedVars.add(name)
    return { ok: true, value: null }
  }

  async describe(): Promise<Outcome<ShellDescription>> {
    const skipped = [...this.#checkpoint.skipped, ...this.#binds.skipped()]
    return { ok: true, value: describeBash(this.#record, this.timeout, skipped) }
  }

  async changes(since: string | undefined): Promise<Outcome<ChangeReport>> {
    return { ok: true, value: this.#binds.changes(since) }
  }

  applyChanges(request: ApplyRequest): Promise<Outcome<ApplyReport>> {
    return this.#binds.applyChanges(request)
  }

  checkpoint(): Promise<readonly CheckpointPart[]> {
    return this.#checkpoint.take(this.#state)
  }

  async tellAll(): Promise<Outcome<readonly OmittedPart[]>> {
    this.#checkpoint.tellAll()
    const binds = this.#record.binds
      .filter(({ mode, readonly }) => mode === 'direct' || readonly)
      .map(({ destination }) => ({ kind: 'bind', name: destination }) as const)
    const jobs = this.#session.jobs.pending.map(({ text }) => ({ kind: 'job', name: text }) as const)
    return { ok: true, value: [...binds, ...jobs] }
  }

  async restore(part: CheckpointPart): Promise<Outcome<null>> {
    const { programs } = this.#interpreter
    const named = { arrays: new Set<string>() }
    const restored = this.#checkpoint.restore(part, {
      named,
      evaluated: programs.evaluated,
      forking: programs.forking,
      observe: (node) => programs.observe(node),
    })
    if (restored === undefined) return { ok: true, value: null }
    await this.#rules?.begin()
    const { session, conflicts } = restored
    this.#session = new Session(this.#interpreter, session.state)
    this.#session.noteArrays(named)
    for (const [condition, text] of session.traps) this.#session.traps.set(condition, text)
    this.#fs.umask = session.umask
    return { ok: true, value: null, ...(conflicts.length === 0 ? {} : { conflicts }) }
  }

  interrupt(): void {
    this.#stop.interrupt()
  }

  close(): void {
    this.#binds.stop()
    this.#stop.interrupt()
  }

  get #state(): SessionState {
    return { state: this.#session.state, traps: this.#session.traps, umask: this.#fs.umask }
  }

  /** A session of its own that begins as this one is, or why there is none. */
  async #scoped({ cwd, env = [] }: CommandScope): Promise<Session | string> {
    const state = copyState(this.#session.state)
    for (const [name, value] of env) {
      if (state.readonlyVars.has(name)) return `bash: ${name}: readonly variable\n`
      state.env.set(name, value)
      state.exportedVars.add(name)
    }
    if (cwd === undefined) return new Session(this.#interpreter, state)
    const { fs } = this.#interpreter.bash
    const path = fs.resolvePath(state.cwd, cwd)
    const stat = await fs.stat(path).catch(() => undefined)
    if (stat === undefined) return `bash: cd: ${cwd}: No such file or directory\n`
    if (!stat.isDirectory) return `bash: cd: ${cwd}: Not a directory\n`
    state.env.set('OLDPWD', state.cwd)
    state.env.set('PWD', path)
    return new Session(this.#interpreter, { ...state, previousDir: state.cwd, cwd: path })
  }

  /** A failure names the path at fault as the caller gave it. */
  async #place(act: 'move' | 'copy', from: string, to: string): Promise<Outcome<null>> {
    let atFault = from
    const resolve = (path: string) => this.#interpreter.bash.fs.resolvePath(this.#session.state.cwd, path)
    try {
      const source = await this.#places.source(resolve(from))
      atFault = to
      await this.#places[act](source, resolve(to))
      return { ok: true, value: null }
    } catch (error) {
      return { ok: false, error: fileFailure(act, atFault, error) }
    }
  }

  /** Acts on a path; a relative one is taken from the session's directory. */
  async #file<T>(
    operation: FileOperation,
    path: string,
    act: (absolute: string) => Promise<T>,
  ): Promise<Outcome<T>> {
    try {
      const absolute = this.#interpreter.bash.fs.resolvePath(this.#session.state.cwd, path)
      return { ok: true, value: await act(absolute) }
    } catch (error) {
      return { ok: false, error: fileFailure(operation, path, error) }
    }
  }
}
