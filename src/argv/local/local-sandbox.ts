import { watchSignal } from '../../async/watch-signal.ts'
import { requireContent } from '../../sandbox/arguments.ts'
import { SandboxAbortError, SandboxClosedError } from '../../sandbox/errors.ts'
import { type ResolvedExecOptions, refuseAborted, requireArgv, resolveExecOptions } from '../arguments.ts'
import type { ArgvSandbox, ExecOptions, ExecResult } from '../argv-sandbox.ts'
import { removeBelow, writeBelow } from './confined-files.ts'
import { atExit } from './exit-hook.ts'
import { inheritedEnv } from './inherited-env.ts'
import { type LocalSandboxOptions, type ResolvedLocalOptions, resolveLocalOptions } from './options.ts'
import { isGroupThere, killGroup } from './process-group.ts'
import { toResult } from './process-result.ts'
import { type ProcessEnd, type ProcessSpec, runProcess } from './run-process.ts'
import { runProcessSync } from './sync/run-process-sync.ts'
import { Workdir } from './workdir.ts'

/** What no argv at all comes to. */
const nothing: ExecResult = { output: '', exitCode: 2 }

/**
 * Runs programs as processes of this machine, in a directory. That is no isolation: a program may do whatever
 * this process may. Each runs in a process group of its own and is given no standard input.
 */
export class LocalSandbox implements ArgvSandbox {
  readonly #options: ResolvedLocalOptions
  readonly #workdir: Workdir
  readonly #running = new Map<AbortController, Promise<unknown>>()
  readonly #writing = new Set<Promise<void>>()
  /** Groups whose leader has ended before its background processes. */
  readonly #leftBehind = new Set<number>()
  #disarm: (() => void) | undefined
  #closing: Promise<void> | undefined

  /**
   * Validates the options and makes nothing: the workdir comes with its first use.
   *
   * @throws {SandboxConfigError} naming the option that is not valid
   */
  constructor(options: LocalSandboxOptions = {}) {
    this.#options = resolveLocalOptions(options)
    this.#workdir = new Workdir(this.#options.path, this.#options.cleanup)
  }

  /**
   * The real path of the workdir.
   *
   * @throws {SandboxClosedError} when the sandbox was closed before it had one
   */
  get workdir(): string {
    if (!this.#workdir.isMade) this.#refuseClosed()
    return this.#workdir.path
  }

  /** The same as {@link LocalSandbox.workdir}. */
  get hostWorkdir(): string {
    return this.workdir
  }

  /** What the sandbox says it supports. */
  get supportedLanguages(): readonly string[] {
    return this.#options.languages
  }

  /**
   * Runs a program. What it leaves running in the background is not waited for, and ends with `close()`.
   *
   * @throws {SandboxIoError} where the workdir cannot be used, or the system has no process left
   */
  async exec(argv: readonly string[], options?: ExecOptions): Promise<ExecResult> {
    const prepared = this.#prepare(argv, options)
    if (prepared === undefined) return nothing
    const { spec, signal } = prepared
    return this.#finish(spec, await this.#run(spec, signal), signal)
  }

  /**
   * The same, blocking this thread: a worker thread runs the program.
   *
   * @throws {UnsupportedError} where the file that the thread starts with is not found
   */
  execSync(argv: readonly string[], options?: ExecOptions): ExecResult {
    const prepared = this.#prepare(argv, options)
    if (prepared === undefined) return nothing
    return this.#finish(prepared.spec, runProcessSync(prepared.spec), undefined)
  }

  /** @throws {SandboxIoError} where the file cannot be written */
  async putFile(path: string, content: Uint8Array): Promise<void> {
    this.#refuseClosed()
    const bytes = requireContent(content)
    await this.#track(writeBelow(this.#workdir.ensure(), path, bytes))
  }

  async removeFile(path: string): Promise<void> {
    this.#refuseClosed()
    await this.#track(removeBelow(this.#workdir.ensure(), path))
  }

  /** Ends every process that is left and removes the workdir where `cleanup` says so. Idempotent. */
  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  /** The same as {@link LocalSandbox.close}, for `await using`. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  /** Undefined for no argv at all. */
  #prepare(
    argv: readonly string[],
    options: ExecOptions | undefined,
  ): { readonly spec: ProcessSpec; readonly signal: AbortSignal | undefined } | undefined {
    this.#refuseClosed()
    const words = requireArgv(argv)
    const resolved = resolveExecOptions(options)
    if (words.length === 0) return undefined
    refuseAborted(resolved.signal)
    return { spec: this.#spec(words, resolved), signal: resolved.signal }
  }

  async #close(): Promise<void> {
    for (const stop of this.#running.keys()) stop.abort()
    await Promise.allSettled([...this.#running.values(), ...this.#writing])
    this.#endLeftBehind()
    this.#disarm?.()
    this.#workdir.remove()
  }

  /** `close()` waits for it: what is written later would bring the workdir back. */
  async #track(work: Promise<void>): Promise<void> {
    this.#writing.add(work)
    try {
      await work
    } finally {
      this.#writing.delete(work)
    }
  }

  #endLeftBehind(): void {
    for (const group of this.#leftBehind) killGroup(group)
    this.#leftBehind.clear()
  }

  #spec(argv: readonly string[], { env, timeout = this.#options.timeout }: ResolvedExecOptions): ProcessSpec {
    const inherited = inheritedEnv(this.#options.inheritEnv)
    return {
      argv,
      cwd: this.#workdir.ensure(),
      env: { ...inherited, ...this.#options.env, ...env },
      timeout,
      maxOutput: this.#options.maxOutput,
    }
  }

  async #run(spec: ProcessSpec, signal: AbortSignal | undefined): Promise<ProcessEnd> {
    const stop = new AbortController()
    const unwatch = signal === undefined ? undefined : watchSignal(signal, () => stop.abort())
    const running = runProcess(spec, stop.signal)
    this.#running.set(stop, running)
    try {
      return await running
    } finally {
      this.#running.delete(stop)
      unwatch?.()
    }
  }

  #finish(spec: ProcessSpec, end: ProcessEnd, signal: AbortSignal | undefined): ExecResult {
    if (end.how === 'exited' && end.group !== undefined) this.#leaveBehind(end.group)
    if (end.how !== 'stopped') return toResult(end, spec, this.#workdir.isThere())
    if (!signal?.aborted) throw closed()
    const output = { stdout: end.output, stderr: '' }
    throw new SandboxAbortError('The call was aborted.', { cause: signal.reason, output })
  }

  #leaveBehind(group: number): void {
    for (const other of this.#leftBehind) if (!isGroupThere(other)) this.#leftBehind.delete(other)
    this.#leftBehind.add(group)
    this.#disarm ??= atExit(() => this.#endLeftBehind())
  }

  #refuseClosed(): void {
    if (this.#closing !== undefined) throw closed()
  }
}

function closed(): SandboxClosedError {
  return new SandboxClosedError('LocalSandbox has been closed.')
}
