import type { ExecuteOptions } from '../../sandbox/results.ts'

/** What a command left behind, as far as the bridge looks. */
interface CommandResult {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
}

/** A sandbox that runs shell commands and holds files: every `Sandbox` of this package, and any of that shape. */
export interface BridgedSandbox {
  execute(command: string, options?: ExecuteOptions): Promise<CommandResult>
  writeFile(path: string, content: Uint8Array): Promise<void>
  removeFile(path: string): Promise<void>
  /** Binds of host directories, where the sandbox can tell. */
  describe?(): Promise<{ readonly binds: readonly HostBind[] }>
  /** Synchronous calls, where it has them. */
  readonly sync?: { execute(command: string, options?: ExecuteOptions): CommandResult } | undefined
  close?(): Promise<void>
}

/** A directory of the host in a sandbox. */
export interface HostBind {
  readonly source: string
  readonly destination: string
  readonly mode: string
}
