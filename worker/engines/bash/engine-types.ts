import type { LossData } from '../../../src/contract/errors.ts'
import type {
  ApplyReport,
  ApplyRequest,
  ChangeReport,
  CodeRequest,
  CommandOutput,
  CommandRequest,
  FileEntry,
  Outcome,
  ShellDescription,
} from '../../../src/contract/shell-api.ts'
import type { BashRecord } from './record.ts'

/** What an engine can do beside running commands. */
export interface EngineCapabilities {
  /** A running command can be stopped without ending its thread. */
  readonly interrupt: boolean
  /** Files and variables can be written out and read back. */
  readonly checkpoint: boolean
}

/** What the worker gives an engine beside the record. */
export interface EngineContext {
  /** Ends the session: its shell ignored a deadline. */
  readonly lost: (loss: LossData) => void
}

/** Builds shells of one kind. */
export interface Engine {
  readonly capabilities: EngineCapabilities
  build(record: BashRecord, context: EngineContext): Promise<EngineShell>
}

/** What `stat` tells of a path. */
export interface FileStatus {
  readonly kind: 'file' | 'directory' | 'link'
  /** Bytes. */
  readonly size: number
  /** Permission bits. */
  readonly mode: number
  /** Milliseconds since 1970. */
  readonly modified: number
}

/** One shell. Its calls run one at a time. */
export interface EngineShell {
  /** Seconds that a command may take. */
  readonly timeout: number
  /** Seconds after `timeout` within which the shell must answer. */
  readonly allowance: number
  run(request: CommandRequest): Promise<Outcome<CommandOutput>>
  runCode(request: CodeRequest): Promise<Outcome<CommandOutput>>
  readFile(path: string): Promise<Outcome<Uint8Array>>
  writeFile(path: string, content: Uint8Array): Promise<Outcome<null>>
  removeFile(path: string): Promise<Outcome<null>>
  /** Sorted by code point. */
  listFiles(path: string): Promise<Outcome<FileEntry[]>>
  stat(path: string): Promise<Outcome<FileStatus>>
  getEnv(name: string): Promise<Outcome<string | null>>
  setEnv(name: string, value: string): Promise<Outcome<null>>
  describe(): Promise<Outcome<ShellDescription>>
  changes(since: string | undefined): Promise<Outcome<ChangeReport>>
  applyChanges(request: ApplyRequest): Promise<Outcome<ApplyReport>>
  /** Stops the command that runs at its next step; the session stays. */
  interrupt(): void
  /** Files and variables as of the last finished command. */
  checkpoint(): Promise<Outcome<Uint8Array>>
  restore(state: Uint8Array): Promise<Outcome<null>>
  close(): void
}
