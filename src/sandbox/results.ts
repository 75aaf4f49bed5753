import type { TruncatedOutput } from '../contract/shell-api.ts'

/** Which stream a chunk of output came from. Mirrors the Strands SDK's `StreamType`. */
export type StreamType = 'stdout' | 'stderr'

/** A piece of output, as it arrives. Mirrors the Strands SDK's `StreamChunk`. */
export interface StreamChunk {
  /** Tells it from the result. */
  readonly type: 'streamChunk'
  /** The text of the piece; a character is never split over two pieces. */
  readonly data: string
  /** The stream it was written to. */
  readonly streamType: StreamType
}

/** A file that a command or program produced. Mirrors the Strands SDK's `OutputFile`. */
export interface OutputFile {
  /** The file's name, without a directory. */
  readonly name: string
  /** All of its bytes. */
  readonly content: Uint8Array
  /** The media type, such as `image/png`. */
  readonly mimeType: string
}

/**
 * What a command that ran left behind, whatever its exit code. It has the fields of the Strands SDK's
 * `ExecutionResult`, and what the sandbox knows besides. A command cannot forge these facts, as it can text.
 */
export interface ExecutionResult {
  /** Tells it from the chunks of a stream. */
  readonly type: 'executionResult'
  /** The command's status: 0 is success. 124 is a time limit that passed, or the command's own choice: see `timedOut`. */
  readonly exitCode: number
  /** Standard output: all of it, unless `truncated` says otherwise. */
  readonly stdout: string
  /** Standard error, and lines in which the sandbox says what it did. */
  readonly stderr: string
  /** Files produced; empty for sandboxes that are a shell. */
  readonly outputFiles: OutputFile[]
  /**
   * Whether the sandbox ended the command at its own time limit, and the session goes on. A per-call `timeout` that
   * passes is no result: the call rejects with `SandboxTimeoutError`.
   */
  readonly timedOut: boolean
  /** `false` where all output is here; else the bytes that were left out of each stream. */
  readonly truncated: false | TruncatedOutput
  /**
   * Milliseconds that the command ran, measured where it ran. The time in queues and on the way is not part of it. A
   * sandbox that reaches its shell through a program measures from the begin of the command to its end as that program tells it.
   */
  readonly durationMs: number
}

/** What an execution yields: any number of chunks, then one result. */
export type ExecutionEvent = StreamChunk | ExecutionResult

/** A directory entry. Mirrors the Strands SDK's `FileInfo`. */
export interface FileInfo {
  /** The entry's name, without its directory. */
  readonly name: string
  /** Whether it is a directory; absent where the sandbox cannot tell. */
  readonly isDir?: boolean
  /** Its size in bytes; absent where the sandbox cannot tell. */
  readonly size?: number
}

/**
 * Options of one execution. Those of the Strands SDK's `ExecuteOptions`, `secretEnv` and `stdin`. Keys it does not know are
 * refused: a mistyped `timeout` would be no limit.
 */
export interface ExecuteOptions {
  /**
   * Seconds after which the call rejects with `SandboxTimeoutError`: a positive, finite number of at
   * most 86400 (a day).
   *
   * @default undefined (the sandbox's own limit alone)
   */
  readonly timeout?: number | undefined
  /**
   * The directory the command starts in.
   *
   * @default undefined (the sandbox's current one)
   */
  readonly cwd?: string | undefined
  /**
   * Environment variables for this command only. Names are letters, digits and underscores, and do not
   * begin with a digit; values arrive literally.
   *
   * @default undefined (none)
   */
  readonly env?: Readonly<Record<string, string>> | undefined
  /**
   * As `env`, for secrets: a hosted sandbox writes `***` for their values in events. Commands see them. Of a name in both this
   * value counts.
   *
   * @default undefined (none)
   */
  readonly secretEnv?: Readonly<Record<string, string>> | undefined
  /**
   * Rejects the call with `SandboxAbortError` when it is aborted. A signal that is aborted already
   * starts nothing.
   *
   * @default undefined (none)
   */
  readonly signal?: AbortSignal | undefined
  /**
   * What the command reads from its standard input: text, which arrives as UTF-8, or bytes, which arrive as they are; at
   * most 64 MiB, and of a hosted sandbox what its limits allow. It is copied at the call. A command need not read it.
   *
   * @default undefined (nothing: whoever reads meets the end at once)
   */
  readonly stdin?: string | Uint8Array | undefined
}

/**
 * Options of many commands in one call: those of each, but `timeout` and `signal` are for all of them together. `stdin` is for
 * one command, and is refused.
 */
export interface ExecuteManyOptions extends Omit<ExecuteOptions, 'stdin'> {
  /**
   * Whether the first command that fails is the last one that runs.
   *
   * @default false
   */
  readonly stopOnFailure?: boolean | undefined
}
