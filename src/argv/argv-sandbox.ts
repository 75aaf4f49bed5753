import type { TruncatedOutput } from '../contract/shell-api.ts'

/** What is not in the output of an argv. */
export interface TruncatedExec extends TruncatedOutput {
  /** Characters beyond `maxOutput`. `stdout` and `stderr` are the bytes that a sandbox below left out before. */
  readonly characters?: number
}

/** What an argv left behind. A program cannot forge `timedOut`, `truncated` and `durationMs`, as it can text. */
export interface ExecResult {
  /** Standard output, then standard error, without blanks at either end. */
  readonly output: string
  /** 124: it timed out. 126: not executable. 127: no such program. 2: the argv was empty. 128 + n: signal n. */
  readonly exitCode: number
  /** Whether a time limit ended the program; absent where no program ran, or the sandbox does not tell. */
  readonly timedOut?: boolean
  /** `false` where all output is here, else what was left out; absent as `timedOut`. */
  readonly truncated?: false | TruncatedExec
  /** Milliseconds that the program ran; absent as `timedOut`, and where a sandbox with a time limit of the call ended it. */
  readonly durationMs?: number
}

/** Options of one {@link ArgvSandbox.exec}. */
export interface ExecOptions {
  /**
   * Variables for this argv, merged over those of the sandbox.
   *
   * @default undefined (none)
   */
  readonly env?: Readonly<Record<string, string>> | undefined
  /**
   * Seconds after which the work is killed and the result is 124: a positive number of at most 86400 (a day).
   *
   * @default undefined (the sandbox's own)
   */
  readonly timeout?: number | undefined
  /**
   * Kills the work and rejects the call with `SandboxAbortError` when it is aborted. A signal that is aborted
   * already starts nothing.
   *
   * @default undefined (none)
   */
  readonly signal?: AbortSignal | undefined
}

/**
 * A place that runs programs, each given as an argv: no shell reads it. Mirrors `Sandbox` of AG2's
 * `autogen.beta.tools.sandbox`. Making one is cheap: what it needs comes with its first use.
 */
export interface ArgvSandbox extends AsyncDisposable {
  /** Where programs run and relative paths begin: an absolute POSIX path, as seen inside. */
  readonly workdir: string
  /** The same directory as a path of the host; undefined where the host cannot see it. */
  readonly hostWorkdir: string | undefined
  /**
   * Runs a program and waits for it, whatever its exit code.
   *
   * @throws {SandboxConfigError} naming the field, such as `argv[1]` or `env.NAME`
   * @throws {SandboxAbortError} when the `signal` was aborted
   * @throws {SandboxClosedError} when the sandbox is or gets closed
   */
  exec(argv: readonly string[], options?: ExecOptions): Promise<ExecResult>
  /**
   * The same, blocking this thread until it has ended. Not every sandbox can.
   *
   * @throws {UnsupportedError} saying what to do, where this one cannot after all
   */
  execSync?(argv: readonly string[], options?: ExecOptions): ExecResult
  /**
   * Writes a file; directories that lead to it are made.
   *
   * @param path - Relative to the workdir.
   * @throws {SandboxPermissionError} naming a path that is absolute or leads out of the workdir
   * @throws {UnsupportedError} where a sandbox holds no files
   */
  putFile(path: string, content: Uint8Array): Promise<void>
  /** Removes a file, as {@link ArgvSandbox.putFile} names it; one that is not there is fine. */
  removeFile(path: string): Promise<void>
  /** Releases what the sandbox holds. Idempotent. After it every call throws `SandboxClosedError`. */
  close(): Promise<void>
}
