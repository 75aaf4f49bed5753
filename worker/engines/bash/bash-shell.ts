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
import type { EngineShell } from '../../service/engine-shell.ts'
import type { Binds } from './binds/binds.ts'
import { codeCommand } from './code-command.ts'
import { describeBash } from './describe.ts'
import { fileFailure } from './files/failure.ts'
import { SandboxFiles } from './files/sandbox-files.ts'
import type { Bounds } from './limits.ts'
import { commandOutput } from './output.ts'
import { syntaxError } from './session/child.ts'
import { copyState } from './session/interpreter-state.ts'
import { type Interpreter, Session } from './session/session.ts'
import type { Stop } from './session/stop.ts'

const refused = (message: string): Outcome<never> => ({ ok: false, error: { code: 'IO_ERROR', message } })

/** A bash session: one interpreter, one file system, and the state that lasts between commands. */
export class BashShell implements EngineShell {
  readonly timeout: number
  readonly allowance = 2
  readonly #interpreter: Interpreter
  readonly #record: BashRecord
  readonly #bounds: Bounds
  readonly #stop: Stop
  readonly #files: SandboxFiles
  readonly #binds: Binds
  #session: Session

  constructor(interpreter: Interpreter, record: BashRecord, stop: Stop, binds: Binds) {
    this.timeout = record.timeout ?? 30
    this.#interpreter = interpreter
    this.#record = record
    this.#bounds = record.limits
    this.#stop = stop
    this.#binds = binds
    this.#files = new SandboxFiles(interpreter.bash.fs, record.limits.maxFileSize)
    this.#session = new Session(interpreter)
  }

  async run({ command, scope }: CommandRequest): Promise<Outcome<CommandOutput>> {
    const session = scope === undefined ? this.#session : await this.#scoped(scope)
    if (typeof session === 'string') return { ok: true, value: { exitCode: 1, stdout: '', stderr: session } }
    const signal = this.#stop.begin(this.timeout * 1000)
    try {
      const result = await session.run(command, { signal })
      return { ok: true, value: commandOutput(result, this.#stop.reason, this.timeout, this.#bounds) }
    } catch (error) {
      if (!(error instanceof Error)) throw error
      const syntax = error.name === 'ParseException' || error.name === 'LexerError'
      const stderr = `bash: ${syntax ? syntaxError(error) : error.message}\n`
      const result = { stdout: '', stderr, exitCode: syntax ? 2 : 1 }
      return { ok: true, value: commandOutput(result, this.#stop.reason, this.timeout, this.#bounds) }
    } finally {
      this.#stop.end()
    }
  }

  runCode({ code, language, scope }: CodeRequest): Promise<Outcome<CommandOutput>> {
    return this.run({ command: codeCommand(code, language), ...(scope === undefined ? {} : { scope }) })
  }

  readFile(path: string): Promise<Outcome<Uint8Array<ArrayBuffer>>> {
    return this.#file(path, (absolute) => this.#files.read(absolute))
  }

  writeFile(path: string, content: Uint8Array): Promise<Outcome<null>> {
    return this.#file(path, (absolute) => this.#files.write(absolute, content))
  }

  removeFile(path: string): Promise<Outcome<null>> {
    return this.#file(path, (absolute) => this.#files.remove(absolute))
  }

  listFiles(path: string): Promise<Outcome<FileEntry[]>> {
    return this.#file(path, (absolute) => this.#files.list(absolute))
  }

  stat(path: string): Promise<Outcome<FileStat>> {
    return this.#file(path, (absolute) => this.#files.stat(absolute))
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
    return { ok: true, value: describeBash(this.#record, this.timeout, this.#binds.skipped()) }
  }

  async changes(since: string | undefined): Promise<Outcome<ChangeReport>> {
    return { ok: true, value: this.#binds.changes(since) }
  }

  applyChanges(request: ApplyRequest): Promise<Outcome<ApplyReport>> {
    return this.#binds.applyChanges(request)
  }

  interrupt(): void {
    this.#stop.interrupt()
  }

  close(): void {
    this.#binds.stop()
    this.#stop.interrupt()
  }

  /** A session of its own that begins as this one is, or why there is none. */
  async #scoped({ cwd, env = [] }: CommandScope): Promise<Session | string> {
    const state = copyState(this.#session.state)
    for (const [name, value] of env) {
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

  /** Acts on a path; a relative one is taken from the session's directory. */
  async #file<T>(path: string, act: (absolute: string) => Promise<T>): Promise<Outcome<T>> {
    try {
      const absolute = this.#interpreter.bash.fs.resolvePath(this.#session.state.cwd, path)
      return { ok: true, value: await act(absolute) }
    } catch (error) {
      return { ok: false, error: fileFailure(path, error) }
    }
  }
}
