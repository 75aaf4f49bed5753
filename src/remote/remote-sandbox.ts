import { inspect } from 'node:util'
import * as v from 'valibot'
import {
  type ApplyChangesOptions,
  type ChangesOptions,
  resolveApplyOptions,
  resolveChangesOptions,
} from '../config/change-options.ts'
import type { ApplyReport, ChangeReport, FileStat } from '../contract/shell-api.ts'
import type { SandboxSummary } from '../hosted-sandbox/summary.ts'
import { appliedSchema, changesSchema, entriesSchema, statSchema } from '../protocol/file-schemas.ts'
import { oneSandboxSchema, type SandboxData, sandboxSchema } from '../protocol/sandbox-schemas.ts'
import { toSummary } from '../protocol/summary-schema.ts'
import {
  refuse,
  requireCode,
  requireCommand,
  requireContent,
  requirePath,
  resolveExecuteOptions,
} from '../sandbox/arguments.ts'
import { ProtocolError, SandboxPathNotFoundError } from '../sandbox/errors.ts'
import { type RemoveOptions, requirePlaces, requireRemoval } from '../sandbox/file-arguments.ts'
import { validateLanguage } from '../sandbox/language.ts'
import type { ExecuteOptions, ExecutionEvent, ExecutionResult, FileInfo } from '../sandbox/results.ts'
import { Sandbox } from '../sandbox/sandbox.ts'
import { kindOf } from '../sandbox/show-value.ts'
import { Snapshot } from '../snapshot/snapshot.ts'
import { Connection } from './connection.ts'
import {
  type RemoteConfig,
  type RemoteOptions,
  resolveRemoteConfig,
  resolveRemoteOptions,
} from './options.ts'
import { type RemoteCall, RemoteCalls } from './remote-calls.ts'
import { type RemoteRun, runRemotely, streamRemotely, withinLimits } from './remote-execution.ts'

const asJson = { 'content-type': 'application/json' }

/** A sandbox as its service tells it. */
export type RemoteInfo = SandboxData

/**
 * A sandbox of a service (docs/serve.md). Its calls run in their order, one at a time, whoever makes them.
 *
 * A call whose connection is lost looks for the service again for `reconnectTime` seconds, and goes on where it was: it never runs
 * twice. Where the process that had begun with it has ended, or is not found, the call rejects with `CONNECTION_FAILED`, and
 * `started` says that it may have run.
 */
export class RemoteSandbox extends Sandbox {
  /** What its service knows it by. */
  readonly id: string
  /** What tools tell a model of it, as of its opening; undefined for a sandbox of a cluster, and of a service that does not tell. */
  readonly summary: SandboxSummary | undefined
  readonly #calls: RemoteCalls
  readonly #path: string

  private constructor(calls: RemoteCalls, id: string, summary?: SandboxSummary) {
    super()
    this.#calls = calls
    this.id = id
    this.summary = summary
    this.#path = pathOf(id)
  }

  /**
   * Opens a sandbox on a service.
   *
   * @throws {SandboxConfigError} naming the option or field that is not valid, and where there is a sandbox with the id
   * @throws {SandboxConnectionError} where the service cannot be reached, or lets this token not in
   * @throws {HostSaturatedError} where it has no place for it
   */
  static async open(config: RemoteConfig | undefined, options: RemoteOptions): Promise<RemoteSandbox> {
    const body = JSON.stringify(resolveRemoteConfig(config))
    const calls = callsOn(options)
    const reply = await calls.call({ method: 'POST', path: '/v1/sandboxes', headers: asJson, body })
    return RemoteSandbox.#opened(calls, reply.body)
  }

  static #opened(calls: RemoteCalls, body: Buffer, known?: string): RemoteSandbox {
    const { id, summary } = read(oneSandboxSchema, body)
    return new RemoteSandbox(calls, known ?? id, summary && toSummary(summary))
  }

  /**
   * The sandbox with an id on a service, opened where there is none.
   *
   * @throws as {@link RemoteSandbox.open} does, and {@link SandboxConfigError} where it is of another template
   */
  static async getOrOpen(
    id: string,
    config: Omit<RemoteConfig, 'id'> | undefined,
    options: RemoteOptions,
  ): Promise<RemoteSandbox> {
    if (typeof id !== 'string' || id === '') throw refuse('id', `must be a text, but is ${kindOf(id)}.`)
    const { id: _none, ...rest } = resolveRemoteConfig(config)
    const calls = callsOn(options)
    const request = { headers: asJson, body: JSON.stringify(rest), isRepeatable: true }
    const reply = await calls.call({ method: 'PUT', path: pathOf(id), ...request })
    return RemoteSandbox.#opened(calls, reply.body, id)
  }

  /**
   * A sandbox that is open.
   *
   * @internal
   */
  static over(calls: RemoteCalls, id: string): RemoteSandbox {
    return new RemoteSandbox(calls, id)
  }

  /** What the service tells of it: state, labels, last command. */
  async info(): Promise<RemoteInfo> {
    return read(sandboxSchema, await this.#call({ method: 'GET', path: '' }))
  }

  override execute(command: string, options?: ExecuteOptions): Promise<ExecutionResult> {
    return this.#run(() => this.#command(command, options))
  }

  override executeCode(code: string, language: string, options?: ExecuteOptions): Promise<ExecutionResult> {
    return this.#run(() => this.#code(code, language, options))
  }

  /** As for every {@link Sandbox}. Leaving the loop early stops the command. */
  override async *executeStreaming(
    command: string,
    options?: ExecuteOptions,
  ): AsyncGenerator<ExecutionEvent, void, undefined> {
    yield* streamRemotely(this.#calls, this.#command(command, options))
  }

  override async *executeCodeStreaming(
    code: string,
    language: string,
    options?: ExecuteOptions,
  ): AsyncGenerator<ExecutionEvent, void, undefined> {
    yield* streamRemotely(this.#calls, this.#code(code, language, options))
  }

  override async readFile(path: string): Promise<Uint8Array> {
    const bytes = await this.#call({ method: 'GET', path: `/file?${queryOf({ path: requirePath(path) })}` })
    return new Uint8Array(bytes)
  }

  override async writeFile(path: string, content: Uint8Array): Promise<void> {
    await this.#put({ path: requirePath(path) }, content)
  }

  /** As for every {@link Sandbox}, in one step for other calls. */
  override async appendFile(path: string, content: Uint8Array): Promise<void> {
    await this.#put({ path: requirePath(path), append: 'true' }, content)
  }

  override async removeFile(path: string, options?: RemoveOptions): Promise<void> {
    const { path: named, recursive } = requireRemoval(path, options)
    const query = queryOf({ path: named, recursive: String(recursive) })
    await this.#call({ method: 'DELETE', path: `/file?${query}` })
  }

  override async listFiles(path: string): Promise<FileInfo[]> {
    const query = queryOf({ path: requirePath(path) })
    const { entries } = read(entriesSchema, await this.#call({ method: 'GET', path: `/directory?${query}` }))
    return entries.map(({ name, isDir, size }) => ({
      name,
      ...(isDir === undefined ? {} : { isDir }),
      ...(size === undefined ? {} : { size }),
    }))
  }

  override async stat(path: string): Promise<FileStat> {
    const query = queryOf({ path: requirePath(path) })
    return read(statSchema, await this.#call({ method: 'GET', path: `/stat?${query}` }))
  }

  override async exists(path: string): Promise<boolean> {
    try {
      await this.stat(path)
      return true
    } catch (error) {
      if (error instanceof SandboxPathNotFoundError) return false
      throw error
    }
  }

  override async makeDirectory(path: string): Promise<void> {
    await this.#post('/directory', { path: requirePath(path) })
  }

  override async move(from: string, to: string): Promise<void> {
    await this.#post('/move', requirePlaces('move', from, to))
  }

  override async copy(from: string, to: string): Promise<void> {
    await this.#post('/copy', requirePlaces('copy', from, to))
  }

  /** The state of the session, once the calls before have ended: as `HostedSandbox.snapshot()`. */
  async snapshot(): Promise<Snapshot> {
    return Snapshot.from(new Uint8Array(await this.#call({ method: 'GET', path: '/snapshot' })))
  }

  /** Puts a snapshot in the place of all that the session has: as `HostedSandbox.restore()`. */
  async restore(snapshot: Snapshot): Promise<void> {
    if (!(snapshot instanceof Snapshot))
      throw refuse(
        'snapshot',
        `must be a Snapshot, but is ${kindOf(snapshot)}. Read bytes with Snapshot.from().`,
      )
    const headers = { 'content-type': 'application/x-tar' }
    await this.#call({ method: 'POST', path: '/restore', headers, body: await snapshot.toBytes() })
  }

  /** Opens a second sandbox on the service with the same template, labels and state. */
  async fork(id?: string): Promise<RemoteSandbox> {
    const reply = await this.#post('/fork', id === undefined ? {} : { id })
    return RemoteSandbox.#opened(this.#calls, reply)
  }

  /** Stores the state of the session now: as `HostedSandbox.checkpoint()`. */
  async checkpoint(): Promise<void> {
    await this.#call({ method: 'POST', path: '/checkpoint', isRepeatable: true })
  }

  /** What the session did to its binds: as `HostedSandbox.changes()`. */
  async changes(options?: ChangesOptions): Promise<ChangeReport> {
    const { since, ...limits } = resolveChangesOptions(options)
    const path = since === undefined ? '/changes' : `/changes?${queryOf({ since })}`
    const body = await withinLimits(limits, (signal) => this.#call({ method: 'GET', path, signal }))
    return read(changesSchema, body)
  }

  /** Writes changes of a copy to the host of the service: as `HostedSandbox.applyChanges()`. */
  async applyChanges(options: ApplyChangesOptions): Promise<ApplyReport> {
    const { request, limits } = resolveApplyOptions(options)
    const body = await withinLimits(limits, (signal) => this.#post('/apply', request, signal))
    const { conflicts, ...report } = read(appliedSchema, body)
    return {
      ...report,
      conflicts: conflicts.map(({ kept, ...rest }) => ({ ...rest, ...(kept === undefined ? {} : { kept }) })),
    }
  }

  /** Closes the sandbox on its service, for good. Idempotent. */
  async close(): Promise<void> {
    await this.#call({ method: 'DELETE', path: '' }).catch((error: unknown) => {
      if (!isClosed(error)) throw error
    })
  }

  /** The same as {@link RemoteSandbox.close}, for `await using`. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  /** What `console.log` shows: no token. */
  [inspect.custom](): string {
    return `RemoteSandbox { id: ${JSON.stringify(this.id)} }`
  }

  async #run(make: () => RemoteRun): Promise<ExecutionResult> {
    return runRemotely(this.#calls, make())
  }

  #command(command: string, options: ExecuteOptions | undefined): RemoteRun {
    const what = { command: requireCommand(command) }
    return { path: this.#path, route: 'execute', what, options: resolveExecuteOptions(options) }
  }

  #code(code: string, language: string, options: ExecuteOptions | undefined): RemoteRun {
    const what = { code: requireCode(code), language: validateLanguage(language) }
    return { path: this.#path, route: 'code', what, options: resolveExecuteOptions(options) }
  }

  #put(query: Readonly<Record<string, string>>, content: Uint8Array): Promise<Buffer> {
    const headers = { 'content-type': 'application/octet-stream' }
    // A copy: the caller may change its buffer while it is sent, and it may be sent twice.
    const body = new Uint8Array(requireContent(content))
    return this.#call({ method: 'PUT', path: `/file?${queryOf(query)}`, headers, body })
  }

  #post(path: string, body: object, signal?: AbortSignal): Promise<Buffer> {
    return this.#call({ method: 'POST', path, headers: asJson, body: JSON.stringify(body), signal })
  }

  async #call(call: RemoteCall): Promise<Buffer> {
    const { body } = await this.#calls.call({ ...call, path: `${this.#path}${call.path}` })
    return body
  }
}

function pathOf(id: string): string {
  return `/v1/sandboxes/${encodeURIComponent(id)}`
}

function callsOn(options: RemoteOptions): RemoteCalls {
  const { url, token, reconnectTime } = resolveRemoteOptions(options)
  return new RemoteCalls(new Connection(url, token), reconnectTime)
}

function queryOf(fields: Readonly<Record<string, string>>): string {
  return new URLSearchParams(fields).toString()
}

function isClosed(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'CLOSED'
}

/** The value of an answer. @throws {ProtocolError} where it is none of the schema's */
function read<Output>(schema: v.GenericSchema<unknown, Output>, body: Buffer): Output {
  let value: unknown
  try {
    value = JSON.parse(body.toString())
  } catch (cause) {
    throw new ProtocolError('The service has answered with what is no JSON.', { cause })
  }
  const { success, output } = v.safeParse(schema, value)
  if (success) return output
  throw new ProtocolError('The service has answered with what is not of its protocol.')
}
