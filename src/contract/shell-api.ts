import type { ErrorData } from './errors.ts'

/** What a call brought back: a value, or an error as data. Nothing is thrown across a thread boundary. */
export type Outcome<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: ErrorData }

/** What a command left behind. */
export interface CommandOutput {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
}

/** A directory entry; `size` in bytes. */
export interface FileEntry {
  readonly name: string
  readonly isDir: boolean
  readonly size: number
}

/** What scopes a command to itself: it then runs in a subshell, and nothing of it stays but its files. */
export interface CommandScope {
  readonly cwd?: string
  readonly env?: readonly (readonly [name: string, value: string])[]
}

/** A command; without a scope it runs in the session. */
export interface CommandRequest {
  readonly command: string
  readonly scope?: CommandScope
}

/** Source code and the program that runs it. */
export interface CodeRequest {
  readonly code: string
  readonly language: string
  readonly scope?: CommandScope
}

/** The engine's effective config, without secrets. */
export interface ShellDescription {
  readonly binds: readonly {
    readonly source: string
    readonly destination: string
    readonly mode: string
    readonly readonly: boolean
  }[]
  readonly credentials: readonly { readonly url: string; readonly kind: string }[]
  readonly allowedUrls: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly umask: number
  /** Seconds. */
  readonly timeout: number
  readonly limits: Readonly<Record<string, number>>
}

/**
 * One shell as its worker serves it. Calls run one at a time, in the order in which they arrive.
 * `id` numbers the calls of a lease, so that `cancel` can name one.
 */
export interface ShellApi {
  run(id: number, request: CommandRequest): Promise<Outcome<CommandOutput>>
  runCode(id: number, request: CodeRequest): Promise<Outcome<CommandOutput>>
  readFile(id: number, path: string): Promise<Outcome<Uint8Array>>
  /** Answers with the buffer that held `content`, for the next write: fresh pages cost more than the copy. */
  writeFile(id: number, path: string, content: Uint8Array<ArrayBuffer>): Promise<Outcome<ArrayBuffer>>
  removeFile(id: number, path: string): Promise<Outcome<null>>
  listFiles(id: number, path: string): Promise<Outcome<FileEntry[]>>
  getEnv(id: number, name: string): Promise<Outcome<string | null>>
  setEnv(id: number, name: string, value: string): Promise<Outcome<null>>
  describe(id: number): Promise<Outcome<ShellDescription>>
  /** Takes a call that has not begun out of the queue. True: it will not run. */
  cancel(id: number): boolean
  /** Gives the shell up. True: no native call is in flight, so the worker can serve another lease. */
  close(): boolean
}
