import type { TruncatedOutput } from '../../contract/shell-api.ts'
import type { ExecuteOptions } from '../../sandbox/results.ts'

/** What a command left behind, as far as the bridge looks. */
export interface CommandResult {
  /** The command's status: 0 is success. */
  readonly exitCode: number
  /** All of standard output. */
  readonly stdout: string
  /** All of standard error. */
  readonly stderr: string
  /** Whether the sandbox ended the command at its own time limit, where it tells. */
  readonly timedOut?: boolean
  /** The bytes of each stream that the sandbox left out, where it tells. */
  readonly truncated?: false | TruncatedOutput
  /** Milliseconds that the command ran, where the sandbox tells. */
  readonly durationMs?: number
}

/** A sandbox that runs shell commands and holds files: every `Sandbox` of this package, and any of that shape. */
export interface BridgedSandbox {
  /** Runs a command in a POSIX shell. */
  execute(command: string, options?: ExecuteOptions): Promise<CommandResult>
  /** Writes a file, and makes its directory. */
  writeFile(path: string, content: Uint8Array): Promise<void>
  /** Removes a file. */
  removeFile(path: string): Promise<void>
  /** Binds of host directories, where the sandbox can tell. */
  describe?(): Promise<{
    /** All of them, in any order. */
    readonly binds: readonly HostBind[]
  }>
  /** Synchronous calls, where it has them. */
  readonly sync?:
    | {
        /** Runs a command, and stands still until it has ended. */
        execute(command: string, options?: ExecuteOptions): CommandResult
      }
    | undefined
  /** Ends the sandbox, where it has an end. */
  close?(): Promise<void>
}

/** A directory of the host in a sandbox. */
export interface HostBind {
  /** The path on the host, absolute. */
  readonly source: string
  /** The path in the sandbox, absolute. */
  readonly destination: string
  /** How it is bound: writes reach the host unless it is `'copy'`. */
  readonly mode: string
}
