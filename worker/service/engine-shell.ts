import type { EngineCapabilities } from '../../src/contract/capabilities.ts'
import type { CheckpointPart, OmittedPart } from '../../src/contract/checkpoint.ts'
import type { LossData } from '../../src/contract/errors.ts'
import type { EngineSource } from '../../src/contract/lease.ts'
import type {
  ApplyReport,
  ApplyRequest,
  ChangeReport,
  CodeRequest,
  CommandOutput,
  CommandRequest,
  FileEntry,
  FileStat,
  Outcome,
  ShellDescription,
} from '../../src/contract/shell-api.ts'
import type { ShellRecord } from '../../src/contract/shell-record.ts'
import type { WayOut } from '../../src/contract/way-out.ts'
import type { Caller } from './caller.ts'
import type { Gate, ThreadGate } from './native-gate.ts'

/** Loads an engine. It is called for every lease: what is costly is kept. @throws FarError where it cannot be loaded */
export type LoadEngine = (source: EngineSource) => Promise<Engine>

/** An engine that this worker can serve. */
export interface Engine {
  readonly capabilities: EngineCapabilities
  /** Builds a shell. @throws FarError where the engine refuses the record */
  build(record: ShellRecord, context: ShellContext): Promise<EngineShell>
}

/** What a shell has of the lease that it is built for. */
export interface ShellContext {
  /** Every native call passes it. */
  readonly gate: Gate
  /** What the thread is to end after passes it: a process that it must reap. */
  readonly threadGate: ThreadGate
  /** True while the call that runs is to stop: its caller gave up, or the session is over. */
  readonly isInterrupted: () => boolean
  /** The address of the proxy, with its token, through which alone this process reaches the network; undefined where there is none. */
  readonly proxy?: string | undefined
  /** How the shell reaches the network, where it is a process that has none; undefined: not at all. */
  readonly way?: WayOut | undefined
  /** Ends the session: the engine has ignored its deadline, or is broken. */
  readonly lost: (loss: LossData) => void
  /** The way up to the caller of the call that runs. */
  readonly caller: Pick<Caller, 'command' | 'output' | 'egress'>
}

/**
 * One shell of an engine, as the service sees it. Its calls are made one at a time; none begins after `close`.
 * A method answers with an outcome, or throws: a `FarError` crosses as its data, any other error as an `IO_ERROR`.
 * What an engine cannot do it leaves out: the service answers such calls with `UNSUPPORTED`.
 * While a command waits for a function of the caller, `readFile` and `writeFile` are called too.
 */
export interface EngineShell {
  /** Seconds that a command may run. */
  readonly timeout: number
  /** Seconds that a call may take on top of that, for mirroring; 0 where nothing is mirrored. */
  readonly allowance: number
  run(request: CommandRequest): Promise<Outcome<CommandOutput>>
  runCode(request: CodeRequest): Promise<Outcome<CommandOutput>>
  /** The bytes are given away: they fill a buffer that nobody else uses. */
  readFile(path: string): Promise<Outcome<Uint8Array<ArrayBuffer>>>
  /** `content` belongs to the caller again once the call has settled. */
  writeFile(path: string, content: Uint8Array<ArrayBuffer>): Promise<Outcome<null>>
  /** @param recursive - whether a directory is removed too, with all that is in it. */
  removeFile(path: string, recursive: boolean): Promise<Outcome<null>>
  /** Makes the file, and the directories that lead to it, where they are missing. */
  appendFile?(path: string, content: Uint8Array<ArrayBuffer>): Promise<Outcome<null>>
  /** Makes the directories that lead to it too. One that is there is fine. */
  makeDirectory?(path: string): Promise<Outcome<null>>
  /** Gives what is at `from` the path `to`. It replaces a file there; a directory there is an error. */
  move?(from: string, to: string): Promise<Outcome<null>>
  /** As `move`, and `from` stays. Links are copied as links. */
  copy?(from: string, to: string): Promise<Outcome<null>>
  listFiles(path: string): Promise<Outcome<FileEntry[]>>
  stat?(path: string): Promise<Outcome<FileStat>>
  getEnv(name: string): Promise<Outcome<string | null>>
  setEnv(name: string, value: string): Promise<Outcome<null>>
  describe(): Promise<Outcome<ShellDescription>>
  changes?(since: string | undefined): Promise<Outcome<ChangeReport>>
  applyChanges?(request: ApplyRequest): Promise<Outcome<ApplyReport>>
  /** Ends the call that runs: it is answered soon. */
  interrupt?(): void
  /** What has changed since the last time that it was asked; empty where nothing has. The bytes are given away. */
  checkpoint?(): Promise<readonly CheckpointPart[]>
  /**
   * From now on checkpoints have all that the shell is made of: the next one tells what of its record they have not told.
   *
   * @returns what they cannot have
   */
  tellAll?(): Promise<Outcome<readonly OmittedPart[]>>
  /** Puts a checkpoint into a shell that has run nothing. The bytes belong to the shell. */
  restore?(part: CheckpointPart): Promise<Outcome<null>>
  /** Closes the shell, also while a call runs. Called once. */
  close(): void
}
