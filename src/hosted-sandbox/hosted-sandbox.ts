import { inspect } from 'node:util'
import { keptAlive } from '../async/kept-alive.ts'
import {
  type ApplyChangesOptions,
  type ChangesOptions,
  resolveApplyOptions,
  resolveChangesOptions,
} from '../config/change-options.ts'
import type { Isolation } from '../contract/isolation.ts'
import type { EngineName } from '../contract/lease.ts'
import type {
  ApplyReport,
  ChangeReport,
  CommandOutput,
  FileStat,
  ShellDescription,
} from '../contract/shell-api.ts'
import { currentDefaultHost } from '../host/default-host.ts'
import type { SandboxEvent } from '../host/event-data.ts'
import { requireRestricted } from '../host/network-policy.ts'
import type { SandboxListener } from '../host/sandbox-events.ts'
import type { SessionRegistry } from '../host/sandbox-host.ts'
import type { CellMemory } from '../places/place.ts'
import {
  requireCode,
  requireCommand,
  requireContent,
  requireEnvName,
  requireEnvValue,
  requirePath,
  resolveExecuteOptions,
} from '../sandbox/arguments.ts'
import { SandboxPathNotFoundError } from '../sandbox/errors.ts'
import { type RemoveOptions, requirePlaces, requireRemoval } from '../sandbox/file-arguments.ts'
import { validateLanguage } from '../sandbox/language.ts'
import { executeEach, requireCommands, resolveManyOptions } from '../sandbox/many-commands.ts'
import type {
  ExecuteManyOptions,
  ExecuteOptions,
  ExecutionEvent,
  ExecutionResult,
  FileInfo,
} from '../sandbox/results.ts'
import { Sandbox } from '../sandbox/sandbox.ts'
import type { CallLimits } from '../session/call-limits.ts'
import { toApplyReport, toChangeReport } from '../session/change-reports.ts'
import { executeInTrips } from '../session/execute-in-trips.ts'
import type { HostCommands } from '../session/host-commands.ts'
import * as operations from '../session/operations.ts'
import { givenBy } from '../session/scope.ts'
import { Scratch } from '../session/scratch.ts'
import { Session } from '../session/session.ts'
import type { HeldConfig, SessionConfig } from '../session/session-config.ts'
import type { SandboxStatus } from '../session/status.ts'
import { streamCall } from '../session/stream-call.ts'
import type { StreamedOutput } from '../session/streamed-output.ts'
import { toFileInfo, toResult } from '../session/to-result.ts'
import type { Snapshot } from '../snapshot/snapshot.ts'
import { identityOf } from './identity.ts'
import { OwnEvents } from './own-events.ts'
import { type HostedSandboxOptions, resolveSandboxOptions } from './sandbox-options.ts'
import { factsFor, snapshotFormOf, takeSnapshot, withFilesOf } from './snapshots.ts'
import { type SandboxSummary, summarize } from './summary.ts'
import { SyncCalls } from './sync-calls.ts'
import { Weight } from './weight.ts'

/** Bytes of a command's output where the config does not say. */
const STREAMED_OUTPUT = 10 * 2 ** 20

/** What a sandbox has of its shell. */
export interface ShellParts<Description> {
  /** Whether a value is an effective config of the shell. */
  readonly accepts: (value: unknown) => value is Description
  /** The functions of the commands that the config's record names. */
  readonly hostCommands?: HostCommands | undefined
}

/** Kept apart from the sandboxes: whoever prints one sees no variable of its config. */
const configs = new WeakMap<HostedSandbox<ShellDescription>, SessionConfig>()

/** The validated config of a sandbox; undefined for one of another copy of this package. */
export function configOf(sandbox: HostedSandbox): SessionConfig | undefined {
  return configs.get(sandbox)
}

const dropped = new FinalizationRegistry<Session>((session) => session.abandon())

/**
 * A sandbox whose shell lives in a worker that a host leases to it. Every engine has a class that extends this one.
 *
 * The session persists: directory, variables, functions and files last from call to call. Calls run one at a
 * time, in the order in which they are made. Whatever happens to the worker, every call settles. A sandbox
 * that is dropped without {@link HostedSandbox.close | close} releases its place when it is garbage-collected.
 */
export abstract class HostedSandbox<Description extends ShellDescription = ShellDescription> extends Sandbox {
  readonly #config: HeldConfig
  readonly #host: SessionRegistry | undefined
  readonly #session: Session
  readonly #accepts: ShellParts<Description>['accepts']
  readonly #events = new OwnEvents()
  // Held here alone: a function may hold the sandbox.
  readonly #hostCommands: HostCommands | undefined
  readonly #policies: SessionConfig['policies']
  readonly #scratch = new Scratch()
  readonly #weight = new Weight()
  #sync: SyncCalls | undefined

  /**
   * @param parts - what is its shell's own.
   * @throws {SandboxConfigError} naming the option that is not valid
   * @throws {SnapshotError} for a snapshot of another version, or with more than the sandbox may have
   * @throws {UnsupportedError} for a snapshot of another shell
   */
  protected constructor(
    config: SessionConfig,
    options: HostedSandboxOptions | undefined,
    { accepts, hostCommands }: ShellParts<Description>,
  ) {
    super()
    this.#accepts = accepts
    this.#hostCommands = hostCommands
    configs.set(this, config)
    const { policies, ...held } = config
    this.#policies = policies
    const { host, snapshot, filesOnly } = resolveSandboxOptions(options)
    const begun = filesOnly ? withFilesOf(held, snapshot) : held
    this.#config = begun
    this.#host = host
    const isolation = config.isolation ?? this.#host?.isolation
    if (isolation !== undefined) requireRestricted(this.#host?.network, isolation, config.record)
    const { id, generation = 1 } = identityOf(options) ?? {}
    // Weak, because a listener may hold the sandbox.
    const events = new WeakRef(this.#events)
    const commands = this.#hostCommands && new WeakRef(this.#hostCommands)
    const decisions = new WeakRef(this.#policies)
    this.#session = new Session(begun, {
      host: this.#host,
      id,
      generation,
      begins: snapshot === undefined || filesOnly ? undefined : factsFor(held, snapshot),
      listeners: () => events.deref(),
      hostCommands: () => commands?.deref(),
      policies: () => decisions.deref(),
      snapshots: snapshotFormOf(held),
    })
    dropped.register(this, this.#session, this)
  }

  /** The shell that runs its commands. */
  abstract get shell(): EngineName

  /** What its host knows it by; undefined where it was opened without an id. */
  get id(): string | undefined {
    return this.#session.id
  }

  /** What the sandbox has for itself. */
  get isolation(): Isolation {
    return this.#session.isolation
  }

  /** Where the sandbox is in its life. */
  get status(): SandboxStatus {
    return this.#session.status
  }

  /**
   * The number of the session that the next call runs in, from 1. It rises when a session was lost or reset:
   * what was in the old one is gone, except where a bash session goes on.
   */
  get generation(): number {
    return this.#session.generation
  }

  /** Calls that have not settled. */
  get pending(): number {
    return this.#session.pending
  }

  /**
   * Resident memory of the process that the sandbox is in, in bytes as they were a moment ago, and how many sandboxes that process has:
   * no system tells the part of one. Undefined while it has no session, at the levels `'worker'` and `'shared'`, whose sandboxes are in
   * this process, and where the system does not tell.
   */
  get memory(): CellMemory | undefined {
    return this.#session.memory
  }

  /**
   * What can be said of the sandbox without opening it: binds, network and time limit; no token, and no path of the
   * host. Starts nothing, not even the default host.
   */
  get summary(): SandboxSummary {
    return summarize(this.#config, this.#host ?? currentDefaultHost())
  }

  /** Calls that block this thread until they have settled, for callers that cannot await. */
  get sync(): SyncCalls {
    this.#sync ??= new SyncCalls((operation, limits) => this.#session.block(operation, limits), this.#scratch)
    return this.#sync
  }

  /**
   * Opens the session if it is not open.
   *
   * @throws {SandboxConfigError} when the engine refuses the config; no worker is left behind
   * @throws {EngineUnavailableError} when there is no engine for this machine
   * @throws {WorkerLostError} when a session was lost and no call has reported it yet
   */
  async open(): Promise<void> {
    this.#weigh()
    await this.#session.open()
  }

  /** Ends the session, and deletes it from the store of the host; pending calls reject with `CLOSED`. Idempotent. */
  async close(): Promise<void> {
    dropped.unregister(this)
    this.#weight.giveBack()
    await this.#session.close()
  }

  /** The same as {@link HostedSandbox.close}, for `await using`. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  /**
   * Runs a command and returns its result, whatever its exit code.
   *
   * With `cwd` or `env` the command is scoped: nothing of it stays in the session but its files.
   *
   * @throws {SandboxTimeoutError} at the moment the per-call `timeout` passes
   * @throws {SandboxAbortError} at the moment the `signal` is aborted
   * @throws {WorkerLostError} when the session was lost; its `cause` says how
   * @throws {SandboxClosedError} when the sandbox is or gets closed
   * @throws {MirrorError} when the command ran, and not all that it changed could be written to a
   *   mirrored directory of the host; the error holds its output
   */
  override async execute(command: string, options?: ExecuteOptions): Promise<ExecutionResult> {
    const text = requireCommand(command)
    const resolved = resolveExecuteOptions(options)
    const operation = operations.run({ command: text, ...givenBy(resolved) })
    return toResult(await this.#call(operation, resolved))
  }

  /**
   * Runs commands one after another, as so many calls of {@link HostedSandbox.execute} would, with one round trip
   * to the worker for as many as run within a quarter of a second. Gives the result of each that ran, in order.
   *
   * @throws {SandboxConfigError} naming the command or option that is not valid; nothing has run then
   * @throws what `execute` throws, for the first of them that throws; those before it have run
   */
  override async executeMany(
    commands: readonly string[],
    options?: ExecuteManyOptions,
  ): Promise<ExecutionResult[]> {
    const texts = requireCommands(commands)
    const resolved = resolveManyOptions(options)
    if (this.#session.decides) return executeEach(texts, resolved, (text, each) => this.execute(text, each))
    const outputs = await executeInTrips(texts, resolved, (request, limits) =>
      this.#call(operations.runMany(request), limits),
    )
    return outputs.map(toResult)
  }

  /**
   * Runs a program as `<language> <file>`: the code is staged in a temporary file that is removed whatever
   * happens. Otherwise as {@link HostedSandbox.execute}.
   */
  override async executeCode(
    code: string,
    language: string,
    options?: ExecuteOptions,
  ): Promise<ExecutionResult> {
    const request = { code: requireCode(code), language: validateLanguage(language) }
    const resolved = resolveExecuteOptions(options)
    const operation = operations.runCode({ ...request, ...givenBy(resolved) })
    return toResult(await this.#call(operation, resolved))
  }

  /**
   * As {@link HostedSandbox.execute}. An engine that streams gives the output of each statement of the command as it ends;
   * other engines give all of it at the end. Chunks together are the result's output. Leaving the loop early stops the
   * command, as an aborted signal does.
   */
  override async *executeStreaming(
    command: string,
    options?: ExecuteOptions,
  ): AsyncGenerator<ExecutionEvent, void> {
    const text = requireCommand(command)
    yield* this.#stream(options, (given, output) =>
      operations.runStreamed({ command: text, ...given }, output),
    )
  }

  /**
   * As {@link HostedSandbox.executeCode}. Code of a `BashSandbox` in `bash` or `sh` streams as a command does; the output of
   * other languages comes at the end.
   */
  override async *executeCodeStreaming(
    code: string,
    language: string,
    options?: ExecuteOptions,
  ): AsyncGenerator<ExecutionEvent, void> {
    const request = { code: requireCode(code), language: validateLanguage(language) }
    yield* this.#stream(options, (given, output) =>
      operations.runCodeStreamed({ ...request, ...given }, output),
    )
  }

  /**
   * Reads a file; a relative path is taken from the session's directory.
   *
   * @throws {SandboxPathNotFoundError} where there is none
   * @throws {SandboxIoError} where it is a directory
   */
  override async readFile(path: string): Promise<Uint8Array> {
    return this.#call(operations.readFile(requirePath(path)))
  }

  /**
   * Writes a file, replacing what it held; parent directories are made. The caller's buffer is copied, once.
   *
   * @throws {SandboxPermissionError} where the path is not writable
   * @throws {SandboxLimitError} where the content is larger than `limits.maxFileSize`; nothing is truncated
   */
  override async writeFile(path: string, content: Uint8Array): Promise<void> {
    const operation = operations.writeFile(requirePath(path), requireContent(content), this.#scratch)
    this.#scratch.keep(await this.#call(operation), operation.copy)
  }

  /**
   * Appends to a file, in one step for other calls. A missing file is made, with the directories that lead to it. The caller's
   * buffer is copied, once.
   *
   * @throws {SandboxLimitError} where the file would be larger than `limits.maxFileSize`; it stays as it is
   */
  override async appendFile(path: string, content: Uint8Array): Promise<void> {
    const operation = operations.appendFile(requirePath(path), requireContent(content), this.#scratch)
    this.#scratch.keep(await this.#call(operation), operation.copy)
  }

  /**
   * Removes a file or a link; with `recursive` a directory too, with all that is in it.
   *
   * @throws {SandboxPathNotFoundError} where there is none
   */
  override async removeFile(path: string, options?: RemoveOptions): Promise<void> {
    const { path: named, recursive } = requireRemoval(path, options)
    await this.#call(operations.removeFile(named, recursive))
  }

  /** As for every {@link Sandbox}, in one step for other calls. */
  override async makeDirectory(path: string): Promise<void> {
    await this.#call(operations.makeDirectory(requirePath(path)))
  }

  /** As for every {@link Sandbox}, in one step for other calls. */
  override async move(from: string, to: string): Promise<void> {
    const places = requirePlaces('move', from, to)
    await this.#call(operations.place('move', places.from, places.to))
  }

  /** As for every {@link Sandbox}, in one step for other calls. */
  override async copy(from: string, to: string): Promise<void> {
    const places = requirePlaces('copy', from, to)
    await this.#call(operations.place('copy', places.from, places.to))
  }

  /** Lists a directory, sorted by name. @throws {SandboxPathNotFoundError} where there is none */
  override async listFiles(path: string): Promise<FileInfo[]> {
    const entries = await this.#call(operations.listFiles(requirePath(path)))
    return entries.map(toFileInfo)
  }

  /**
   * What is at a path: kind, size, permission bits and time of the last write. A link is told as itself. A relative path
   * is taken from the session's directory. Bash has times to the millisecond; Strands Shell to the minute, and to the day
   * for what is older than half a year.
   *
   * @throws {SandboxPathNotFoundError} where there is nothing
   */
  override async stat(path: string): Promise<FileStat> {
    return this.#call(operations.stat(requirePath(path)))
  }

  override async exists(path: string): Promise<boolean> {
    try {
      await this.#call(operations.stat(requirePath(path)))
      return true
    } catch (error) {
      if (error instanceof SandboxPathNotFoundError) return false
      throw error
    }
  }

  /** Reads a variable of the session. */
  async getEnv(name: string): Promise<string | undefined> {
    return (await this.#call(operations.getEnv(requireEnvName(name)))) ?? undefined
  }

  /** Sets a variable of the session; the value is taken literally. */
  async setEnv(name: string, value: string): Promise<void> {
    await this.#call(operations.setEnv(requireEnvName(name), requireEnvValue(value)))
  }

  /**
   * The effective config: binds, limits, allowed URLs, where credentials go, never a token; and what of the
   * host's directories was skipped.
   */
  async describe(): Promise<Description> {
    return this.#call(operations.describe(this.#accepts))
  }

  /**
   * The state of the session once the calls before have ended: files, variables, functions and options, as a value that can
   * leave the process. `snapshot.omitted` tells what it does not hold. Variables are in it as they are: a secret belongs into
   * `credentials`, which are in no snapshot. The host keeps the session's files from now on, those of its config included.
   *
   * @throws {UnsupportedError} where its variables, functions and names of files are too long together
   * @throws {WorkerLostError} when the session was lost
   */
  async snapshot(): Promise<Snapshot> {
    this.#weigh()
    return await takeSnapshot(this.#session, this.#config)
  }

  /**
   * Puts a snapshot in the place of all that the session has. Calls that were made before end first, later ones wait; then
   * `generation` has risen. Where the snapshot cannot be put in, the session has what it had, and calls that wait for it reject
   * as it does.
   *
   * @throws {SnapshotError} where the snapshot is of another version, or has more than the sandbox may have
   * @throws {UnsupportedError} for a snapshot of another shell
   * @throws {SandboxConfigError} for what is no snapshot
   */
  async restore(snapshot: Snapshot): Promise<void> {
    const facts = factsFor(this.#config, snapshot)
    this.#weigh()
    await this.#session.restore(facts)
  }

  /**
   * Takes a checkpoint of the session, once the calls before have ended: what the next session has after a loss. Where its host
   * stores the sandbox, the checkpoint is in the store when this resolves.
   *
   * @throws {UnsupportedError} where there are no snapshots of the session
   * @throws {SandboxIoError} where the store fails, or {@link StaleFenceError}; the session goes on
   */
  async checkpoint(): Promise<void> {
    this.#weigh()
    await this.#session.keep()
  }

  /**
   * Resolves when what calls have changed that were answered is in the store of the host: under `checkpoint: 'call'`. At once where
   * the session is not stored after each call.
   *
   * @throws {SandboxIoError} where the store fails, or {@link StaleFenceError}; the session goes on
   */
  async stored(): Promise<void> {
    await keptAlive(this.#session.settleStore())
  }

  /**
   * Stores the session in the store of the host, once the calls before have ended, and gives its place up. Its next call wakes it.
   * Jobs in the background end. False: the sandbox has no session, or was used meanwhile.
   *
   * @throws {UnsupportedError} for a sandbox without an id, or on a host without a store
   * @throws {SandboxIoError} where the store fails, as by {@link StaleFenceError}; the session goes on
   */
  async hibernate(): Promise<boolean> {
    if (this.status === 'hibernated') return true
    return await this.#session.hibernateWhenIdle()
  }

  /**
   * Which files, directories and links of writable direct binds and copies this session added, changed or
   * removed: since it opened, or since the mark of an earlier report. What the host changed is not among them.
   *
   * @throws {SandboxConfigError} with the field `since` where the mark is not one of this session or of one that it goes on from
   */
  async changes(options?: ChangesOptions): Promise<ChangeReport> {
    const { since, ...limits } = resolveChangesOptions(options)
    return toChangeReport(await this.#call(operations.changes(since), limits))
  }

  /**
   * Writes what the sandbox changed in a copy to the host directory it was made from, by the rules of a
   * mirrored one: each file whole, and where the host changed it too, the host's version is kept beside it.
   *
   * @throws {SandboxConfigError} where `bind` is no copy, or a path is not in it
   * @throws {MirrorError} when not all could be written; what was not can be applied again
   */
  async applyChanges(options: ApplyChangesOptions): Promise<ApplyReport> {
    const { request, limits } = resolveApplyOptions(options)
    return toApplyReport(await this.#call(operations.applyChanges(request), limits))
  }

  /**
   * Calls `listener` with every event of this name, with plain data and never with a secret. It is called before the call that
   * the event is about settles, and once however often it is added. What it throws becomes an uncaught exception on the next
   * tick, as with listeners of Node's `EventTarget`; the call goes on. A listener does not keep its sandbox from being collected.
   * The first listener of `conflict` is told of those that were met before, as while the session woke.
   *
   * @throws {SandboxConfigError} for an event that does not exist, or what is no function
   */
  on<Event extends SandboxEvent>(event: Event, listener: SandboxListener<Event>): this {
    this.#events.on(event, listener)
    return this
  }

  /** Calls a listener that {@link HostedSandbox.on | on} added no more. */
  off<Event extends SandboxEvent>(event: Event, listener: SandboxListener<Event>): this {
    this.#events.off(event, listener)
    return this
  }

  /** What `console.log` shows: no config, and so no secret. */
  [inspect.custom](): string {
    return `${this.constructor.name} { status: '${this.status}', generation: ${this.generation} }`
  }

  #stream(
    options: ExecuteOptions | undefined,
    operationOf: (
      given: ReturnType<typeof givenBy>,
      output: StreamedOutput,
    ) => operations.Operation<CommandOutput>,
  ): AsyncGenerator<ExecutionEvent, void> {
    const resolved = resolveExecuteOptions(options)
    const streamed = {
      operationOf: (output: StreamedOutput) => operationOf(givenBy(resolved), output),
      call: (operation: operations.Operation<CommandOutput>, limits: CallLimits) =>
        this.#call(operation, limits),
      mostOutput: this.#config.record.limits.maxOutput ?? STREAMED_OUTPUT,
    }
    return streamCall(streamed, resolved)
  }

  /** Awaits, so that a pending call keeps its sandbox, and so its session, alive. */
  async #call<T>(operation: operations.Operation<T>, limits?: CallLimits): Promise<T> {
    this.#weigh()
    return await this.#session.call(operation, limits)
  }

  #weigh(): void {
    if (this.status !== 'closed') this.#weight.take(this.#session.isolation)
  }
}
