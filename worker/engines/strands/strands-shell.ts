import type { CheckpointPart, OmittedPart } from '../../../src/contract/checkpoint.ts'
import type { LossData } from '../../../src/contract/errors.ts'
import { MIRROR_ALLOWANCE } from '../../../src/contract/lease.ts'
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
import type { EngineShell } from '../../service/engine-shell.ts'
import { changesFiles, type FileOperation } from '../../service/file-operation.ts'
import type { BuiltShell, ShellSettings } from './build-shell.ts'
import type { ShellCheckpoint } from './checkpoint/shell-checkpoint.ts'
import { shellDropped } from './collect.ts'
import { describeShell } from './describe.ts'
import { guardedAppend } from './guards/append-file.ts'
import { guardedList } from './guards/list-files.ts'
import { guardedRead } from './guards/read-file.ts'
import { guardedRemove } from './guards/remove-file.ts'
import { guardedWrite } from './guards/write-file.ts'
import { type CountingShell, LastStatus } from './last-status.ts'
import { loadOnDemand } from './load-on-demand.ts'
import type { Mirroring } from './mirroring.ts'
import { runCode } from './run-code.ts'
import { runCommand } from './run-command.ts'
import { setVariable } from './set-variable.ts'
import { watchDeadline } from './watch-deadline.ts'

/** The mark of a session that has no binds to tell changes of. */
const NO_MARK = 'none'

/** A native shell with its guards, kept in step with the host where it has mirrored binds. */
export class StrandsEngineShell implements EngineShell {
  readonly timeout: number
  readonly allowance: number
  readonly #shell: CountingShell
  readonly #status: LastStatus
  readonly #settings: ShellSettings
  readonly #mirroring: Mirroring | undefined
  readonly #lost: (loss: LossData) => void
  #checkpoint: ShellCheckpoint | undefined

  /** @param lost - told when the native engine has ignored its deadline. */
  constructor({ shell, settings, mirroring }: BuiltShell, lost: (loss: LossData) => void) {
    this.timeout = settings.timeout
    this.allowance = mirroring === undefined ? 0 : MIRROR_ALLOWANCE
    this.#shell = shell
    this.#status = new LastStatus(shell)
    this.#settings = settings
    this.#mirroring = mirroring
    this.#lost = lost
  }

  run(request: CommandRequest): Promise<Outcome<CommandOutput>> {
    return this.#inStep(request, request.scope === undefined, () =>
      runCommand(this.#shell, request, this.#settings),
    )
  }

  runCode(request: CodeRequest): Promise<Outcome<CommandOutput>> {
    return this.#inStep(undefined, request.scope === undefined, () =>
      runCode(this.#shell, request, this.#settings),
    )
  }

  async readFile(path: string): Promise<Outcome<Uint8Array<ArrayBuffer>>> {
    const outcome = await this.#file('readFile', path, () =>
      guardedRead(this.#shell, path, this.#settings.maxFileSize),
    )
    // From Node 22 on, memory that belongs to the addon cannot be transferred.
    return outcome.ok ? { ...outcome, value: outcome.value.slice() } : outcome
  }

  writeFile(path: string, content: Uint8Array): Promise<Outcome<null>> {
    return this.#file('writeFile', path, () =>
      guardedWrite(this.#shell, path, content, this.#settings.maxFileSize),
    )
  }

  appendFile(path: string, content: Uint8Array): Promise<Outcome<null>> {
    return this.#file('appendFile', path, () =>
      guardedAppend(this.#shell, path, content, this.#settings.maxFileSize),
    )
  }

  removeFile(path: string, recursive: boolean): Promise<Outcome<null>> {
    if (recursive) return this.#places(({ removeTree }) => removeTree(this.#shell, path))
    return this.#file('removeFile', path, () => guardedRemove(this.#shell, path))
  }

  makeDirectory(path: string): Promise<Outcome<null>> {
    return this.#places(({ makeDirectory }) => makeDirectory(this.#shell, path))
  }

  move(from: string, to: string): Promise<Outcome<null>> {
    return this.#places(({ movePlace }) => movePlace(this.#shell, from, to))
  }

  copy(from: string, to: string): Promise<Outcome<null>> {
    return this.#places(({ copyPlace }) => copyPlace(this.#shell, from, to))
  }

  stat(path: string): Promise<Outcome<FileStat>> {
    return this.#file('stat', path, () => loadOnDemand().statPlace(this.#shell, path))
  }

  listFiles(path: string): Promise<Outcome<FileEntry[]>> {
    return this.#file('listFiles', path, () =>
      guardedList(this.#shell, path, this.#settings.bindDestinations),
    )
  }

  async getEnv(name: string): Promise<Outcome<string | null>> {
    return { ok: true, value: (await this.#shell.getEnv(name)) ?? null }
  }

  setEnv(name: string, value: string): Promise<Outcome<null>> {
    return setVariable(this.#shell, name, value)
  }

  async describe(): Promise<Outcome<ShellDescription>> {
    const { skipped } = this.#checkpoint ?? this.#settings
    const settings = { ...this.#settings, skipped }
    return { ok: true, value: await describeShell(this.#shell, settings, this.#mirroring) }
  }

  async changes(since: string | undefined): Promise<Outcome<ChangeReport>> {
    return this.#mirroring?.changes(since) ?? noChanges(since)
  }

  async applyChanges(request: ApplyRequest): Promise<Outcome<ApplyReport>> {
    return this.#mirroring?.applyChanges(request) ?? noCopy(request)
  }

  async tellAll(): Promise<Outcome<readonly OmittedPart[]>> {
    return { ok: true, value: await this.#checkpoints.omitted() }
  }

  checkpoint(): Promise<readonly CheckpointPart[]> {
    return this.#checkpoints.take()
  }

  async restore(part: CheckpointPart): Promise<Outcome<null>> {
    const conflicts = await this.#checkpoints.restore(part)
    return { ok: true, value: null, ...(conflicts.length === 0 ? {} : { conflicts }) }
  }

  close(): void {
    this.#mirroring?.stop()
    shellDropped()
  }

  get #checkpoints(): ShellCheckpoint {
    this.#checkpoint ??= loadOnDemand().openCheckpoint(
      { shell: this.#shell, status: this.#status, mirroring: this.#mirroring },
      this.#settings,
    )
    return this.#checkpoint
  }

  /** Runs a command, and keeps what is mirrored in step with the host around it. */
  async #inStep(
    request: CommandRequest | undefined,
    lasts: boolean,
    run: () => Promise<CommandOutput>,
  ): Promise<Outcome<CommandOutput>> {
    const checkpoints = this.#settings.handsOver ? this.#checkpoints : this.#checkpoint
    await checkpoints?.begins(request?.command)
    const runs = () => this.#status.around(lasts, run)
    if (this.#mirroring === undefined) return { ok: true, value: await runs() }
    return this.#mirroring.command(request, () => watchDeadline(runs, this.timeout, this.#lost))
  }

  /** Changes files by commands of our own, which may reach any mirror. */
  async #places(
    act: (places: ReturnType<typeof loadOnDemand>) => Promise<Outcome<null>>,
  ): Promise<Outcome<null>> {
    this.#checkpoint?.changesFiles()
    const places = loadOnDemand()
    if (this.#mirroring === undefined) return act(places)
    let outcome: Outcome<null> = { ok: true, value: null }
    const written = await this.#mirroring.command(undefined, async () => {
      outcome = await act(places)
      const exitCode = outcome.ok ? 0 : 1
      return { exitCode, stdout: '', stderr: '', timedOut: false, truncated: false, durationMs: 0 }
    })
    if (!written.ok) return written
    return written.conflicts === undefined ? outcome : { ...outcome, conflicts: written.conflicts }
  }

  #file<T>(operation: FileOperation, path: string, run: () => Promise<Outcome<T>>): Promise<Outcome<T>> {
    if (changesFiles(operation)) this.#checkpoint?.changesFiles()
    return this.#mirroring === undefined ? run() : this.#mirroring.file(operation, path, run)
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
