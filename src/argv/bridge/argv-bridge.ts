import { posix } from 'node:path'
import { requireContent } from '../../sandbox/arguments.ts'
import { errorCode } from '../../sandbox/error-code.ts'
import { SandboxClosedError, UnsupportedError } from '../../sandbox/errors.ts'
import { shellQuote } from '../../sandbox/quoting.ts'
import {
  type ResolvedExecOptions,
  requireArgv,
  requireKnownKeys,
  requireWorkdir,
  resolveExecOptions,
} from '../arguments.ts'
import type { ArgvSandbox, ExecOptions, ExecResult, TruncatedExec } from '../argv-sandbox.ts'
import { combineTexts, timedOut } from '../output-text.ts'
import { requireRelativePath } from '../relative-path.ts'
import type { BridgedSandbox, CommandResult } from './bridged-sandbox.ts'
import { hostPathOf } from './host-path.ts'
import { type ArgvBridgeOptions, BRIDGE_OPTIONS, requireSandbox, resolveBridgeOptions } from './options.ts'

/**
 * Runs programs in any sandbox that takes shell commands: each word of an argv is quoted, so that it arrives as it
 * is. Every program starts in the workdir, and nothing of it stays in the sandbox but its files.
 */
export class ArgvBridge implements ArgvSandbox {
  readonly workdir: string
  readonly hostWorkdir: string | undefined
  readonly #sandbox: BridgedSandbox
  readonly #defaults: ResolvedExecOptions
  readonly #maxOutput: number
  readonly #ownsSandbox: boolean
  #isReady = false
  #closing: Promise<void> | undefined

  /**
   * Validates the options and asks the sandbox for nothing yet.
   *
   * @throws {SandboxConfigError} naming the option that is not valid
   */
  constructor(sandbox: BridgedSandbox, options: ArgvBridgeOptions) {
    const resolved = resolveBridgeOptions(options)
    this.#sandbox = requireSandbox(sandbox)
    this.workdir = resolved.workdir
    this.hostWorkdir = resolved.hostWorkdir
    this.#defaults = resolved.defaults
    this.#maxOutput = resolved.maxOutput
    this.#ownsSandbox = resolved.ownsSandbox
  }

  /**
   * Makes a bridge that knows where its workdir is on the host: below a direct bind of a sandbox that can
   * describe itself.
   *
   * @param options - Without a `workdir`, it is the directory that the sandbox is in.
   */
  static async open(sandbox: BridgedSandbox, options: Partial<ArgvBridgeOptions> = {}): Promise<ArgvBridge> {
    requireKnownKeys(options, BRIDGE_OPTIONS)
    const workdir = requireWorkdir(options.workdir ?? (await currentDirectory(requireSandbox(sandbox))))
    if (options.hostWorkdir !== undefined || sandbox.describe === undefined) {
      return new ArgvBridge(sandbox, { ...options, workdir })
    }
    const { binds } = await sandbox.describe()
    return new ArgvBridge(sandbox, { ...options, workdir, hostWorkdir: hostPathOf(workdir, binds) })
  }

  /**
   * Runs a program, as a command of the sandbox: its shell's own commands are programs here too.
   *
   * @throws what the sandbox throws, but for a passed time limit: that is a result
   */
  async exec(argv: readonly string[], options?: ExecOptions): Promise<ExecResult> {
    this.#refuseClosed()
    const words = requireArgv(argv)
    const resolved = resolveExecOptions(options)
    if (words.length === 0) return { output: '', exitCode: 2 }
    try {
      await this.#prepare(resolved)
      return this.#show(await this.#sandbox.execute(toCommand(words), this.#scope(resolved)))
    } catch (error) {
      return this.#timedOut(error, resolved)
    }
  }

  /**
   * The same, blocking this thread.
   *
   * @throws {UnsupportedError} where the sandbox has no synchronous calls
   */
  execSync(argv: readonly string[], options?: ExecOptions): ExecResult {
    this.#refuseClosed()
    const words = requireArgv(argv)
    const resolved = resolveExecOptions(options)
    const { sync } = this.#sandbox
    if (typeof sync?.execute !== 'function') {
      throw new UnsupportedError(
        'This sandbox has no synchronous calls (`sync.execute`). Use exec() or run().',
      )
    }
    if (words.length === 0) return { output: '', exitCode: 2 }
    try {
      if (!this.#isReady) sync.execute(this.#makeWorkdir())
      this.#isReady = true
      return this.#show(sync.execute(toCommand(words), this.#scope(resolved)))
    } catch (error) {
      return this.#timedOut(error, resolved)
    }
  }

  /** @throws what `writeFile` of the sandbox throws */
  async putFile(path: string, content: Uint8Array): Promise<void> {
    this.#refuseClosed()
    const target = posix.join(this.workdir, requireRelativePath(path))
    const bytes = requireContent(content)
    this.#refuseWithout('writeFile')
    await this.#sandbox.writeFile(target, bytes)
  }

  async removeFile(path: string): Promise<void> {
    this.#refuseClosed()
    const target = posix.join(this.workdir, requireRelativePath(path))
    this.#refuseWithout('removeFile')
    try {
      await this.#sandbox.removeFile(target)
    } catch (error) {
      if (errorCode(error) !== 'PATH_NOT_FOUND') throw error
    }
  }

  /** Closes the sandbox too, where the bridge owns it. Idempotent. */
  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  /** The same as {@link ArgvBridge.close}, for `await using`. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  async #close(): Promise<void> {
    if (this.#ownsSandbox) await this.#sandbox.close?.()
  }

  /** Makes the workdir, once. Where there can be none, the programs say so. */
  async #prepare({ timeout, signal }: ResolvedExecOptions): Promise<void> {
    if (this.#isReady) return
    await this.#sandbox.execute(this.#makeWorkdir(), { timeout, signal })
    this.#isReady = true
  }

  #makeWorkdir(): string {
    return `mkdir -p ${shellQuote(this.workdir)}`
  }

  #scope(options: ResolvedExecOptions): ExecOptions & { cwd: string } {
    const env = { ...this.#defaults.env, ...options.env }
    return { ...this.#defaults, ...options, cwd: this.workdir, env }
  }

  /** A sandbox may have a time limit of its own, and says so in words of its own. */
  #show({ stdout, stderr, exitCode, ...known }: CommandResult): ExecResult {
    const shown = combineTexts(stdout, stderr, this.#maxOutput)
    const truncated = together(shown.truncated, known.truncated)
    const facts = {
      ...(truncated === undefined ? {} : { truncated }),
      ...(known.durationMs === undefined ? {} : { durationMs: known.durationMs }),
    }
    if (known.timedOut === true) return { ...timedOut(shown.output, undefined), ...facts }
    const ended = known.timedOut === undefined ? {} : { timedOut: known.timedOut }
    return { output: shown.output, exitCode, ...ended, ...facts }
  }

  #timedOut(error: unknown, { timeout = this.#defaults.timeout }: ResolvedExecOptions): ExecResult {
    if (errorCode(error) !== 'TIMEOUT') throw error
    const { output, truncated } = combineTexts(
      textOf(error, 'stdout'),
      textOf(error, 'stderr'),
      this.#maxOutput,
    )
    return { ...timedOut(output, timeout), ...(truncated === false ? {} : { truncated }) }
  }

  /** Callers without types may bridge what runs commands and holds no files. */
  #refuseWithout(method: 'writeFile' | 'removeFile'): void {
    if (typeof this.#sandbox[method] === 'function') return
    throw new UnsupportedError(`This sandbox has no ${method}(). Use exec(), or another sandbox.`)
  }

  #refuseClosed(): void {
    if (this.#closing !== undefined) throw new SandboxClosedError('ArgvBridge has been closed.')
  }
}

/** What is left out by the bridge, and by the sandbox before it; undefined where nothing is known to be. */
function together(own: false | TruncatedExec, before: CommandResult['truncated']): ExecResult['truncated'] {
  if (before === undefined) return own === false ? undefined : own
  return own === false && before === false ? false : { ...own, ...before }
}

/** `sh -c COMMAND` is what the sandbox does with a command anyway; not every one has a program of that name. */
function toCommand(argv: readonly string[]): string {
  const [program, option, command] = argv
  if (argv.length === 3 && program === 'sh' && option === '-c' && command !== undefined) return command
  return argv.map(shellQuote).join(' ')
}

async function currentDirectory(sandbox: BridgedSandbox): Promise<string> {
  const { stdout } = await sandbox.execute('pwd')
  return stdout.replace(/\n$/, '')
}

function textOf(error: unknown, stream: 'stdout' | 'stderr'): string {
  if (typeof error !== 'object' || error === null) return ''
  const { stdout, stderr }: { stdout?: unknown; stderr?: unknown } = error
  const text = stream === 'stdout' ? stdout : stderr
  return typeof text === 'string' ? text : ''
}
