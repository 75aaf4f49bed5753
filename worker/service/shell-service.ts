import type { MessagePort } from 'node:worker_threads'
import * as Comlink from 'comlink'
import type { BlockingRequest } from '../../src/contract/blocking.ts'
import type { LossData } from '../../src/contract/errors.ts'
import type {
  ApplyReport,
  ApplyRequest,
  ChangeReport,
  CodeRequest,
  CommandOutput,
  CommandRequest,
  CommandsRequest,
  FileEntry,
  Outcome,
  ShellApi,
  ShellDescription,
} from '../../src/contract/shell-api.ts'
import type { BuiltShell, ShellSettings } from '../engines/strands/build-shell.ts'
import { describeShell } from '../engines/strands/describe.ts'
import type { FileOperation } from '../engines/strands/guards/file-errors.ts'
import { guardedList } from '../engines/strands/guards/list-files.ts'
import { guardedRead } from '../engines/strands/guards/read-file.ts'
import { guardedRemove } from '../engines/strands/guards/remove-file.ts'
import { guardedWrite } from '../engines/strands/guards/write-file.ts'
import type { Mirroring } from '../engines/strands/mirroring.ts'
import type { NativeShell } from '../engines/strands/native-shell.ts'
import { runCode } from '../engines/strands/run-code.ts'
import { runCommand } from '../engines/strands/run-command.ts'
import { setVariable } from '../engines/strands/set-variable.ts'
import { BlockingNewsPort } from './blocking-news.ts'
import { CallQueue } from './call-queue.ts'
import { CommandBatch } from './command-batch.ts'
import { toErrorData } from './far-error.ts'
import { watchDeadline } from './watch-deadline.ts'

/** The mark of a session that has no binds to tell changes of. */
const NO_MARK = 'none'

const dropped = {
  ok: false,
  error: { code: 'IO_ERROR', message: 'The call was taken back before it began.' },
} as const

/** Serves one native shell: its calls one at a time, in the order in which they came. */
export class ShellService implements ShellApi {
  readonly #queue = new CallQueue()
  readonly #settings: ShellSettings
  readonly #mirroring: Mirroring | undefined
  readonly #lost: (loss: LossData) => void
  #shell: NativeShell | undefined
  #blocking: BlockingNewsPort | undefined
  readonly #batches = new Map<number, CommandBatch>()
  readonly #blockingCalls = new Map<number, Promise<void>>()

  /** @param lost - told when the engine has ignored its deadline. */
  constructor({ shell, settings, mirroring }: BuiltShell, lost: (loss: LossData) => void) {
    this.#shell = shell
    this.#settings = settings
    this.#mirroring = mirroring
    this.#lost = lost
  }

  run(id: number, request: CommandRequest): Promise<Outcome<CommandOutput>> {
    return this.#command(id, request.command, (shell) => runCommand(shell, request, this.#settings))
  }

  runMany(
    id: number,
    { commands, scope, stopOnFailure }: CommandsRequest,
  ): Promise<Outcome<CommandOutput[]>> {
    const batch = new CommandBatch(stopOnFailure)
    this.#batches.set(id, batch)
    return this.#queued(id, (shell) =>
      batch.run(commands, (command) => {
        const request = { command, ...(scope === undefined ? {} : { scope }) }
        return this.#inStep(command, () => runCommand(shell, request, this.#settings))
      }),
    ).finally(() => this.#batches.delete(id))
  }

  runCode(id: number, request: CodeRequest): Promise<Outcome<CommandOutput>> {
    return this.#command(id, undefined, (shell) => runCode(shell, request, this.#settings))
  }

  async readFile(id: number, path: string): Promise<Outcome<Uint8Array>> {
    const outcome = await this.#file(id, 'readFile', path, (shell) =>
      guardedRead(shell, path, this.#settings.maxFileSize),
    )
    if (!outcome.ok) return outcome
    // From Node 22 on, memory that belongs to the addon cannot be transferred.
    const value = outcome.value.slice()
    return Comlink.transfer({ ...outcome, value }, [value.buffer])
  }

  async writeFile(id: number, path: string, content: Uint8Array<ArrayBuffer>): Promise<Outcome<ArrayBuffer>> {
    const outcome = await this.#file(id, 'writeFile', path, (shell) =>
      guardedWrite(shell, path, content, this.#settings.maxFileSize),
    )
    return outcome.ok ? Comlink.transfer({ ...outcome, value: content.buffer }, [content.buffer]) : outcome
  }

  removeFile(id: number, path: string): Promise<Outcome<null>> {
    return this.#file(id, 'removeFile', path, (shell) => guardedRemove(shell, path))
  }

  listFiles(id: number, path: string): Promise<Outcome<FileEntry[]>> {
    return this.#file(id, 'listFiles', path, (shell) =>
      guardedList(shell, path, this.#settings.bindDestinations),
    )
  }

  getEnv(id: number, name: string): Promise<Outcome<string | null>> {
    return this.#call(id, async (shell) => (await shell.getEnv(name)) ?? null)
  }

  setEnv(id: number, name: string, value: string): Promise<Outcome<null>> {
    return this.#queued(id, (shell) => setVariable(shell, name, value))
  }

  describe(id: number): Promise<Outcome<ShellDescription>> {
    return this.#call(id, (shell) => describeShell(shell, this.#settings, this.#mirroring))
  }

  changes(id: number, since: string | undefined): Promise<Outcome<ChangeReport>> {
    return this.#queued(id, async () => (await this.#mirroring?.changes(since)) ?? noChanges(since))
  }

  applyChanges(id: number, request: ApplyRequest): Promise<Outcome<ApplyReport>> {
    return this.#queued(id, async () => (await this.#mirroring?.applyChanges(request)) ?? noCopy(request))
  }

  openBlocking(port: MessagePort, words: SharedArrayBuffer): void {
    this.#blocking = new BlockingNewsPort(port, words)
  }

  /** Makes a call for a thread that stands still. */
  block({ blocking: id, call }: BlockingRequest): void {
    const answered = this.#dispatch(id, call).then((outcome) => {
      this.#blockingCalls.delete(id)
      this.#blocking?.post({ id, outcome })
    })
    this.#blockingCalls.set(id, answered)
  }

  async cancelBlocking(id: number): Promise<void> {
    const call = this.#blockingCalls.get(id)
    if (call !== undefined && !this.#queue.cancel(id)) this.#blocking?.post({ id, begun: true })
    await call
  }

  /** The session is lost: a thread that stands still hears nothing else. */
  lost(loss: LossData): void {
    this.#blocking?.post({ lost: loss })
  }

  cancel(id: number): boolean {
    this.#batches.get(id)?.stop()
    return this.#queue.cancel(id)
  }

  close(): boolean {
    this.#queue.clear()
    this.#blocking?.close()
    this.#mirroring?.stop()
    this.#shell = undefined
    return !this.#queue.busy
  }

  #dispatch(id: number, call: BlockingRequest['call']): Promise<Outcome<unknown>> {
    switch (call.name) {
      case 'run':
        return this.run(id, call.request)
      case 'writeFile':
        return this.writeFile(id, call.path, call.content)
      default:
        return this[call.name](id, call.path)
    }
  }

  #command(
    id: number,
    text: string | undefined,
    run: (shell: NativeShell) => Promise<CommandOutput>,
  ): Promise<Outcome<CommandOutput>> {
    return this.#queued(id, (shell) => this.#inStep(text, () => run(shell)))
  }

  /** Runs a command, and keeps what is mirrored in step with the host around it. */
  async #inStep(
    text: string | undefined,
    run: () => Promise<CommandOutput>,
  ): Promise<Outcome<CommandOutput>> {
    if (this.#mirroring === undefined) return { ok: true, value: await run() }
    return this.#mirroring.command(text, () => watchDeadline(run, this.#settings.timeout, this.#lost))
  }

  #file<T>(
    id: number,
    operation: FileOperation,
    path: string,
    run: (shell: NativeShell) => Promise<Outcome<T>>,
  ): Promise<Outcome<T>> {
    const mirroring = this.#mirroring
    if (mirroring === undefined) return this.#queued(id, run)
    return this.#queued(id, (shell) => mirroring.file(operation, path, () => run(shell)))
  }

  #call<T>(id: number, operation: (shell: NativeShell) => Promise<T>): Promise<Outcome<T>> {
    return this.#queued(id, async (shell) => ({ ok: true, value: await operation(shell) }))
  }

  #queued<T>(id: number, operation: (shell: NativeShell) => Promise<Outcome<T>>): Promise<Outcome<T>> {
    return this.#queue.add<Outcome<T>>(id, () => this.#attempt(operation), dropped)
  }

  async #attempt<T>(operation: (shell: NativeShell) => Promise<Outcome<T>>): Promise<Outcome<T>> {
    try {
      return this.#shell === undefined ? dropped : await operation(this.#shell)
    } catch (error) {
      return { ok: false, error: toErrorData(error) }
    } finally {
      this.#blocking?.ended()
    }
  }
}

/** A session without binds that could change. */
function noChanges(since: string | undefined): Outcome<ChangeReport> {
  if (since === undefined || since === NO_MARK) return { ok: true, value: { mark: NO_MARK, changes: [] } }
  const message =
    'since must be a mark of an earlier report of this session. Leave it out for all since open.'
  return { ok: false, error: { code: 'INVALID_CONFIG', field: 'since', message } }
}

function noCopy({ bind }: ApplyRequest): Outcome<ApplyReport> {
  const message = `bind must be the destination of a copy, but is ${bind}.`
  return { ok: false, error: { code: 'INVALID_CONFIG', field: 'bind', message } }
}
