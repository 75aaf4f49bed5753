import type { MessagePort } from 'node:worker_threads'
import type { CheckpointPart, OmittedPart } from './checkpoint.ts'
import type { ErrorData } from './errors.ts'
import type { BashLimitsRecord, BindRecord, JailLimitsRecord, LimitsRecord } from './shell-record.ts'

/**
 * A path of a bind that the sandbox and the host both changed: during one call, or the host while the session of the sandbox
 * slept.
 */
export interface ConflictData {
  /** The path in the sandbox, absolute. It holds what the host has from now on: the sandbox's version, after a sleep the host's. */
  readonly path: string
  /** The same path on the host, absolute. */
  readonly hostPath: string
  /** Where the host's version was put beside it: a path in the sandbox. Absent where the host had removed it, and after a sleep. */
  readonly kept?: string
}

/**
 * What a call brought back: a value, or an error as data; and in either case the conflicts it met on the
 * way. Nothing is thrown across a thread boundary.
 */
export type Outcome<T> =
  | { readonly ok: true; readonly value: T; readonly conflicts?: readonly ConflictData[] }
  | { readonly ok: false; readonly error: ErrorData; readonly conflicts?: readonly ConflictData[] }

/**
 * Bytes of a command's output that are not in its result, for each stream that was cut. They are counted as UTF-8. Where
 * the engine itself stops counting, as Strands Shell does for standard output, at least so many are missing.
 */
export interface TruncatedOutput {
  /** Absent where all of standard output is there. */
  readonly stdout?: number
  /** Absent where all of standard error is there. */
  readonly stderr?: number
}

/** What a command left behind. */
export interface CommandOutput {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
  /** The engine ended it at its own time limit. */
  readonly timedOut: boolean
  readonly truncated: false | TruncatedOutput
  /** How long it ran. */
  readonly durationMs: number
  /** What it has changed on the host in mirrored directories: absolute paths in the sandbox, the first ones where there are many. */
  readonly changed?: readonly string[]
}

/** A directory entry; `size` in bytes. */
export interface FileEntry {
  readonly name: string
  readonly isDir: boolean
  readonly size: number
}

/** What is at one path. A link is told as itself, not as what it leads to. */
export interface FileStat {
  /** What it is. Links are not followed. `'other'` is a device, a pipe or a socket. */
  readonly kind: 'file' | 'directory' | 'link' | 'other'
  /** Bytes. Of what is no file it is the file system's own figure. */
  readonly size: number
  /** Permission bits. */
  readonly mode: number
  /** When its content was last written, in milliseconds since the epoch, as exact as the sandbox has it. */
  readonly modified: number
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
  /** Its output is also sent as it comes, where the engine can: see `OutputSignal`. */
  readonly stream?: boolean
  /** What it reads. Without it, nothing. */
  readonly stdin?: Uint8Array<ArrayBuffer>
}

/** Commands that run one after another; a scope is each one's own. */
export interface CommandsRequest {
  readonly commands: readonly string[]
  readonly scope?: CommandScope
  /** The first that fails is the last one that runs. */
  readonly stopOnFailure: boolean
}

/** Source code and the program that runs it. */
export interface CodeRequest extends Omit<CommandRequest, 'command'> {
  readonly code: string
  readonly language: string
}

/** One path of a bind that the sandbox added, changed or removed. */
export interface FileChange {
  /** The bind's destination. */
  readonly bind: string
  /** The path in the sandbox, absolute. */
  readonly path: string
  /** What is there now, or, where it was removed, what was there. Links are not followed. */
  readonly kind: 'file' | 'directory' | 'link'
  /** What happened to it. */
  readonly change: 'added' | 'changed' | 'removed'
}

/** What the sandbox did to its binds since open or since a mark. */
export interface ChangeReport {
  /** Stands for this moment: pass it as `since` to see only what came later. Good for this session and what goes on from it. */
  readonly mark: string
  /** Sorted by path. */
  readonly changes: readonly FileChange[]
}

/** Which changes of a copy to write to the host; without `paths` all of them. */
export interface ApplyRequest {
  /** The bind's destination, normalized. */
  readonly bind: string
  /** Absolute normalized paths in the sandbox, at or below `bind`. Empty: none. */
  readonly paths?: readonly string[]
}

/** What was written to the host. Paths are absolute, in the sandbox. */
export interface ApplyReport {
  /** What was added or changed on the host. */
  readonly written: readonly string[]
  /** What was removed from it. */
  readonly removed: readonly string[]
  /** What the host had changed as well: both versions are kept. */
  readonly conflicts: readonly ConflictData[]
}

/** The limits of a Strands Shell session. Sizes are bytes. */
export interface StrandsLimits extends Required<LimitsRecord> {
  /** Files, directories and links of one mirrored directory. */
  readonly mirrorMaxFiles: number
  /** Of the files of one mirrored directory together. */
  readonly mirrorMaxBytes: number
}

/** The engine's effective config, without secrets. */
export interface ShellDescription<Limits = StrandsLimits | BashLimitsRecord | JailLimitsRecord> {
  /** Host directories and files in the sandbox. */
  readonly binds: readonly {
    /** The path on the host, absolute. */
    readonly source: string
    /** The path in the sandbox, absolute. */
    readonly destination: string
    /** As in the config. */
    readonly mode: BindRecord['mode']
    /** Whether the sandbox may not write to it. */
    readonly readonly: boolean
    /** `.gitignore` patterns of what is kept out, where there are any. */
    readonly exclude?: readonly string[]
  }[]
  /** Which requests get a credential, and of what kind it is; never the credential. */
  readonly credentials: readonly {
    /** The URL prefix of those requests. */
    readonly url: string
    /** The engine's word for it, such as `bearer`. */
    readonly kind: string
  }[]
  /**
   * URL prefixes that may be reached. Of a bash sandbox, and in cells of a host whose `network` is not `'public'`: nothing
   * else may. Of Strands Shell in a thread: every public host may, too.
   */
  readonly allowedUrls: readonly string[]
  /** Variables that a session begins with. */
  readonly env: Readonly<Record<string, string>>
  /** Permission bits that new files do not get. */
  readonly umask: number
  /** Seconds. */
  readonly timeout: number
  /** The limits, by name. Sizes are bytes. */
  readonly limits: Limits
  /** What of the host's directories is not in the sandbox, and why. */
  readonly skipped: readonly {
    /** The bind's destination. */
    readonly bind: string
    /** Where it would be in the sandbox, absolute. */
    readonly path: string
    /** Why it is left out, in words for people. */
    readonly reason: string
  }[]
}

/** What `describe()` of a Strands Shell sandbox gives. */
export type StrandsDescription = ShellDescription<StrandsLimits>

/** What `describe()` of a bash sandbox gives. */
export type BashDescription = ShellDescription<BashLimitsRecord>

/** What `describe()` of a jail gives. */
export type JailDescription = ShellDescription<JailLimitsRecord>

/**
 * One shell as its worker serves it. Calls run one at a time, in the order in which they arrive.
 * `id` numbers the calls of a lease, so that `cancel` and `interrupt` can name one.
 * What the shell's engine cannot do is answered with an error of the code `UNSUPPORTED`.
 */
export interface ShellApi {
  run(id: number, request: CommandRequest): Promise<Outcome<CommandOutput>>
  /**
   * Answers with the output of each command that ran: of all, or of the first ones where the rest is for another call,
   * because so many took their time or were that long.
   */
  runMany(id: number, request: CommandsRequest): Promise<Outcome<CommandOutput[]>>
  runCode(id: number, request: CodeRequest): Promise<Outcome<CommandOutput>>
  readFile(id: number, path: string): Promise<Outcome<Uint8Array>>
  /** Answers with the buffer that held `content`, for the next write: fresh pages cost more than the copy. */
  writeFile(id: number, path: string, content: Uint8Array<ArrayBuffer>): Promise<Outcome<ArrayBuffer>>
  /** @param recursive - whether a directory is removed too, with all that is in it. */
  removeFile(id: number, path: string, recursive: boolean): Promise<Outcome<null>>
  /** Answers as `writeFile` does. */
  appendFile(id: number, path: string, content: Uint8Array<ArrayBuffer>): Promise<Outcome<ArrayBuffer>>
  makeDirectory(id: number, path: string): Promise<Outcome<null>>
  move(id: number, from: string, to: string): Promise<Outcome<null>>
  copy(id: number, from: string, to: string): Promise<Outcome<null>>
  listFiles(id: number, path: string): Promise<Outcome<FileEntry[]>>
  stat(id: number, path: string): Promise<Outcome<FileStat>>
  getEnv(id: number, name: string): Promise<Outcome<string | null>>
  setEnv(id: number, name: string, value: string): Promise<Outcome<null>>
  describe(id: number): Promise<Outcome<ShellDescription>>
  /** What the sandbox did to its mirrors and copies since open, or since a mark of an earlier report. */
  changes(id: number, since: string | undefined): Promise<Outcome<ChangeReport>>
  /** Writes changes of a copy to the host. */
  applyChanges(id: number, request: ApplyRequest): Promise<Outcome<ApplyReport>>
  /**
   * From now on the checkpoint of the shell has all that it is made of, and needs nothing of its record. What it lacked is
   * handed over before the answer, which tells what it cannot have.
   */
  checkpoint(id: number): Promise<Outcome<readonly OmittedPart[]>>
  /** Puts a checkpoint into a fresh shell of the same engine, a part at a time. */
  restore(id: number, part: CheckpointPart): Promise<Outcome<null>>
  /** Names the port for news of {@link BlockingCall}s, and the words that go with it. */
  openBlocking(port: MessagePort, words: SharedArrayBuffer): void
  /** Cancels such a call; where it has begun, that is posted as news. Resolves when it has ended. */
  cancelBlocking(id: number): Promise<void>
  /** Takes a call that has not begun out of the queue. True: it will not run. One that runs is ended, where the engine can. */
  cancel(id: number): boolean
  /** Ends the call while it runs, so that it is answered soon; not queued. False: it does not run. */
  interrupt(id: number): Outcome<boolean>
  /** Closes the shell. True: no native call is in flight, so the worker can serve another lease. */
  close(): boolean
}
