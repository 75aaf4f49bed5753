import { type ResolvedExecuteOptions, requireCommand, resolveExecuteOptions } from '../sandbox/arguments.ts'
import { buildShellEnvPrefix } from '../sandbox/env.ts'
import { ProtocolError } from '../sandbox/errors.ts'
import { shellQuote } from '../sandbox/quoting.ts'
import type { ExecuteOptions, ExecutionEvent, ExecutionResult } from '../sandbox/results.ts'
import { clientEnvironment } from './client-environment.ts'
import { codeCommand } from './code-command.ts'
import { type OneShotRequest, startCommand } from './command-run.ts'
import { EventStream } from './event-stream.ts'
import { type CommandSandboxOptions, type ResolvedCommandOptions, resolveCommandOptions } from './options.ts'
import { type PieceSizes, PosixShellSandbox } from './posix-shell-sandbox.ts'

/** Bytes of base64 that one command of a file operation may print. */
const MOST_FILE_OUTPUT = 64 * 1024 * 1024

/**
 * A sandbox in any place where a command reaches a POSIX shell: this machine, a host behind `ssh`, a container behind
 * `docker exec`, a pod behind `kubectl exec`, a namespace made by `bwrap`.
 *
 * Each call is a process of its own; nothing but files lasts from one to the next, and calls run side by side. What a
 * command starts in the background goes on when the command has ended, and is stopped with it when it is stopped.
 * There is nothing to close.
 */
export class CommandSandbox extends PosixShellSandbox {
  /** Commands reach the shell on its standard input, so that no limit on arguments holds. */
  protected override readonly pieceSizes: PieceSizes = { read: 8 * 1024 * 1024, write: 2 * 1024 * 1024 }
  readonly #options: ResolvedCommandOptions

  /**
   * Starts nothing.
   *
   * @throws SandboxConfigError naming the option that is not valid
   */
  constructor(options: CommandSandboxOptions) {
    super()
    this.#options = resolveCommandOptions(options)
  }

  /**
   * Runs a command in a shell of its own and yields its output as it arrives, then its result: 127 where there is no such
   * command, 128 and the signal's number where it was killed. Its standard input is `stdin` of the options, or empty. A `cwd` that is no directory
   * is a result with exit code 1.
   *
   * When the call is cut short, by `timeout`, `signal` or the stream's `return()`, the command and all that it started
   * get SIGTERM, and SIGKILL after `killGrace`; so they do when this process dies or the connection does.
   *
   * @throws SandboxTimeoutError at the moment the `timeout` passes, with the output so far
   * @throws SandboxAbortError at the moment the `signal` is aborted, with the output so far
   * @throws SandboxConnectionError where the shell cannot be reached, or the way to it is lost
   */
  override executeStreaming(
    command: string,
    options?: ExecuteOptions,
  ): AsyncGenerator<ExecutionEvent, void, undefined> {
    return this.#stream(() => requireCommand(command), options)
  }

  /**
   * As {@link CommandSandbox.executeStreaming}, for a program on the standard input of its interpreter; with `stdin` in a file
   * that is removed afterwards.
   */
  override executeCodeStreaming(
    code: string,
    language: string,
    options?: ExecuteOptions,
  ): AsyncGenerator<ExecutionEvent, void, undefined> {
    return this.#stream(() => codeCommand(code, language, options), options)
  }

  protected override async executeFileCommand(command: string): Promise<ExecutionResult> {
    let result: ExecutionResult | undefined
    for await (const event of this.#stream(() => command, undefined, MOST_FILE_OUTPUT)) {
      if (event.type === 'executionResult') result = event
    }
    if (result === undefined) throw new ProtocolError('A command of a file operation ended without a result.')
    return result
  }

  #stream(
    command: () => string,
    options: ExecuteOptions | undefined,
    maxOutput = this.#options.maxOutput,
  ): EventStream {
    return new EventStream((sink) => {
      const text = command()
      const request = this.#request(text, resolveExecuteOptions(options), maxOutput)
      return startCommand(request, sink)
    })
  }

  #request(command: string, options: ResolvedExecuteOptions, maxOutput: number): OneShotRequest {
    const own = this.#options
    const { timeout = own.timeout, signal, stdin } = options
    const env = { ...own.env, ...Object.fromEntries(options.env ?? []) }
    return {
      command: `${scope(own.cwd, options.cwd, env)}${command}`,
      prefix: own.command,
      shell: own.shell,
      spell: (words) => (own.joinsArguments ? words.map(shellQuote) : words),
      clientEnv: clientEnvironment({ program: own.command[0], shell: own.shell, inherit: own.inheritEnv }),
      maxOutput,
      killGrace: own.killGrace,
      timeout,
      signal,
      stdin,
    }
  }
}

/** What comes before the command: it enters the directory and sets the variables, or does not let the command run. */
function scope(
  home: string | undefined,
  cwd: string | undefined,
  env: Readonly<Record<string, string>>,
): string {
  const directories = cwd?.startsWith('/') ? [cwd] : [home, cwd]
  const steps = directories.map((path) => (path === undefined ? '' : `CDPATH= cd -- ${explicit(path)} && `))
  const prefix = `${steps.join('')}${buildShellEnvPrefix(env)}`
  return prefix === '' ? '' : `${prefix}: || exit 1\n`
}

/** A relative path is made plainly so: `cd -` means something else. */
function explicit(path: string): string {
  return shellQuote(path.startsWith('/') ? path : `./${path}`)
}
