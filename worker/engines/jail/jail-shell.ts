import type { LossData } from '../../../src/contract/errors.ts'
import type {
  ApplyReport,
  ApplyRequest,
  ChangeReport,
  CodeRequest,
  CommandOutput,
  CommandRequest,
  FileEntry,
  FileStat,
  Outcome,
  ShellDescription,
} from '../../../src/contract/shell-api.ts'
import type { JailRecord } from '../../../src/contract/shell-record.ts'
import { commandOutput, type StopReason } from '../../service/command-output.ts'
import type { EngineShell, ShellContext } from '../../service/engine-shell.ts'
import { FarError } from '../../service/far-error.ts'
import { fileFailure } from '../../service/file-failure.ts'
import type { FileOperation } from '../../service/file-operation.ts'
import type { Kept } from './channel/records.ts'
import { codeCommand } from './code-command.ts'
import { describeJail } from './describe.ts'
import type { Interpreter } from './interpreters/interpreter.ts'
import { interpreterOf, type Jail } from './jail.ts'
import { TakenOutput } from './output.ts'
import { CommandStop } from './stop/command-stop.ts'

/** Seconds that a command may run where the config does not say. */
const TIMEOUT = 30

/** What is told of a shell that has ended with something of the session. */
const lost: Readonly<Record<Kept, readonly string[]>> = {
  all: [],
  variables: ['the shell has ended: functions begin afresh'],
  nothing: ['the shell has ended without its state: variables and functions begin afresh'],
}

const refused = (message: string): Outcome<never> => ({ ok: false, error: { code: 'IO_ERROR', message } })

/** What a {@link JailShell} is made of. */
export interface JailShellParts {
  readonly jail: Jail
  readonly record: JailRecord
  readonly context: Pick<ShellContext, 'caller' | 'lost'>
  /** What was left out of the host's directories that the session begins with. */
  readonly skipped: ShellDescription['skipped']
}

/** A session in a jail: one shell, and the state that lasts between commands. */
export class JailShell implements EngineShell {
  readonly timeout: number
  readonly allowance = 0
  readonly #jail: Jail
  readonly #record: JailRecord
  readonly #interpreter: Interpreter
  readonly #context: JailShellParts['context']
  readonly #stop: CommandStop
  readonly #skipped: ShellDescription['skipped']
  #interrupt: (() => void) | undefined
  #loss: LossData | undefined

  constructor({ jail, record, context, skipped }: JailShellParts) {
    this.timeout = record.timeout ?? TIMEOUT
    this.#jail = jail
    this.#record = record
    this.#interpreter = interpreterOf(record)
    this.#context = context
    this.#skipped = skipped
    this.#stop = new CommandStop(() => ({
      jail: jail.process.pid,
      pid: jail.session.pid,
      hasJobs: jail.session.hasJobs,
    }))
    if (jail.process.pid !== undefined)
      jail.bounds.begin(jail.process.pid, (how) => {
        this.#lose({ code: 'WORKER_EXITED', message: `The jail was ended: ${how}.` })
        jail.close()
      })
    jail.onEnd((how) => this.#lose({ code: 'WORKER_EXITED', message: `The jail ${how}.` }))
  }

  run({ command, ...request }: CommandRequest): Promise<Outcome<CommandOutput>> {
    return this.#execute(command, request)
  }

  async runCode({ code, language, ...request }: CodeRequest): Promise<Outcome<CommandOutput>> {
    const { code: file } = this.#jail.inputs
    file.write(code)
    try {
      return await this.#execute(codeCommand(language), request)
    } finally {
      file.write('')
    }
  }

  readFile(path: string): Promise<Outcome<Uint8Array<ArrayBuffer>>> {
    return this.#file('readFile', path, (absolute) => this.#jail.files.read(absolute))
  }

  writeFile(path: string, content: Uint8Array<ArrayBuffer>): Promise<Outcome<null>> {
    return this.#file('writeFile', path, (absolute) => this.#jail.files.write(absolute, content))
  }

  appendFile(path: string, content: Uint8Array<ArrayBuffer>): Promise<Outcome<null>> {
    return this.#file('appendFile', path, (absolute) => this.#jail.files.append(absolute, content))
  }

  removeFile(path: string, recursive: boolean): Promise<Outcome<null>> {
    return this.#file('removeFile', path, (absolute) => this.#jail.files.remove(absolute, recursive))
  }

  makeDirectory(path: string): Promise<Outcome<null>> {
    return this.#file('makeDirectory', path, (absolute) => this.#jail.files.makeDirectory(absolute))
  }

  move(from: string, to: string): Promise<Outcome<null>> {
    return this.#place('move', from, to)
  }

  copy(from: string, to: string): Promise<Outcome<null>> {
    return this.#place('copy', from, to)
  }

  listFiles(path: string): Promise<Outcome<FileEntry[]>> {
    return this.#file('listFiles', path, (absolute) => this.#jail.files.list(absolute))
  }

  stat(path: string): Promise<Outcome<FileStat>> {
    return this.#file('stat', path, (absolute) => this.#jail.files.stat(absolute))
  }

  async getEnv(name: string): Promise<Outcome<string | null>> {
    return { ok: true, value: (await this.#jail.session.variable(name)) ?? null }
  }

  async setEnv(name: string, value: string): Promise<Outcome<null>> {
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) return refused(`${name} is not a variable's name.`)
    const isSet = await this.#jail.session.export(name, value)
    return isSet ? { ok: true, value: null } : refused(`${name} is a readonly variable.`)
  }

  async describe(): Promise<Outcome<ShellDescription>> {
    return {
      ok: true,
      value: describeJail(this.#record, this.timeout, [...this.#skipped, ...this.#jail.overlays.skipped()]),
    }
  }

  async changes(since: string | undefined): Promise<Outcome<ChangeReport>> {
    return { ok: true, value: await this.#jail.overlays.changes(since) }
  }

  applyChanges(request: ApplyRequest): Promise<Outcome<ApplyReport>> {
    return this.#jail.overlays.applyChanges(request)
  }

  interrupt(): void {
    this.#interrupt?.()
  }

  close(): void {
    this.#jail.close()
    // Its worker serves others: no call may wait for what has ended.
    this.#fail(new FarError({ code: 'IO_ERROR', message: 'The sandbox was closed.' }))
  }

  async #execute(
    command: string,
    { scope, stream = false, stdin }: Omit<CommandRequest, 'command'>,
  ): Promise<Outcome<CommandOutput>> {
    const { limits } = this.#record
    const send = stream
      ? (chunk: Parameters<ShellContext['caller']['output']>[0]) => this.#context.caller.output(chunk)
      : undefined
    const output = new TakenOutput(limits.maxOutput, this.#interpreter.messages(command), send)
    const start = performance.now()
    let hasEnded = false
    let stopped: StopReason | undefined
    let stopping: Promise<void> | undefined
    const stop = (reason: StopReason) => {
      if (hasEnded || stopped !== undefined) return
      stopped = reason
      stopping = this.#end(() => hasEnded)
    }
    this.#stop.begin()
    this.#interrupt = () => stop('interrupt')
    const timer = setTimeout(() => stop('timeout'), this.timeout * 1000)
    try {
      const { status, kept } = await this.#jail.session
        .run(command, { input: stdin, scope }, output)
        .finally(() => {
          hasEnded = true
        })
      await stopping
      const end = {
        shell: this.#interpreter.name,
        stopped,
        timeout: this.timeout,
        durationMs: performance.now() - start,
      }
      const left = output.end()
      const hasFailed = status !== 0 || left.stderr.size > 0
      return { ok: true, value: commandOutput(status, left, end, this.#notes(hasFailed, kept)) }
    } finally {
      clearTimeout(timer)
      this.#interrupt = undefined
    }
  }

  /** What its shell did not say. A command that succeeds and has no error to tell has met no bound. */
  #notes(hasFailed: boolean, kept: Kept): readonly string[] {
    const reached = hasFailed ? this.#jail.bounds.takeReached() : []
    return [...reached, ...lost[kept]].map((text) => `${this.#interpreter.name}: ${text}`)
  }

  /** Ends the command that runs, or else the jail. */
  async #end(hasEnded: () => boolean): Promise<void> {
    if (await this.#stop.stop(hasEnded, () => this.#jail.session.hasBegun)) return
    const message = 'The command could not be stopped, so its jail was ended.'
    this.#lose({ code: 'DEADLINE_IGNORED', message })
    this.#jail.close()
  }

  #lose(loss: LossData): void {
    if (this.#loss !== undefined) return
    this.#loss = loss
    this.#context.lost(loss)
    this.#fail(new FarError({ code: 'WORKER_LOST', message: loss.message, loss }))
  }

  #fail(error: FarError): void {
    this.#jail.session.fail(error)
    this.#jail.files.fail(error)
  }

  /** A failure names the path at fault as the caller gave it. */
  async #place(act: 'move' | 'copy', from: string, to: string): Promise<Outcome<null>> {
    const { files } = this.#jail
    const source = this.#jail.resolve(from)
    const there = await this.#file(act, from, () => files.requirePlace(source))
    return there.ok ? this.#file(act, to, (target) => files.place(act, source, target)) : there
  }

  /** Acts on a path; a relative one is taken from the session's directory. */
  async #file<T>(
    operation: FileOperation,
    path: string,
    act: (absolute: string) => Promise<T>,
  ): Promise<Outcome<T>> {
    try {
      return { ok: true, value: await act(this.#jail.resolve(path)) }
    } catch (error) {
      if (error instanceof FarError) throw error
      return { ok: false, error: fileFailure(operation, path, error) }
    }
  }
}
