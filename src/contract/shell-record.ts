import type { CheckpointContent, CheckpointEntry } from './checkpoint.ts'
import type { HostCommandRecord } from './host-commands.ts'
import type { PolicyRules } from './policy-rules.ts'

/** A host directory made visible inside a sandbox, resolved: absolute source, explicit mode. */
export interface BindRecord {
  readonly source: string
  readonly destination: string
  readonly mode: 'direct' | 'copy' | 'passthrough' | 'overlay'
  readonly readonly: boolean
  /** `.gitignore` patterns relative to `source`; absent where nothing is excluded. */
  readonly exclude?: readonly string[]
}

/** The bounds of one mirrored directory: the runtime's own, of which the engine knows nothing. */
export interface MirrorRecord {
  /** Files, directories and links. */
  readonly maxFiles: number
  /** Bytes of all files together. */
  readonly maxBytes: number
}

/** The engine's limits; sizes in bytes. Absent fields keep the engine's own defaults. */
export interface LimitsRecord {
  /** Of the output of a command. */
  readonly maxOutput?: number
  /** Of a file. */
  readonly maxFileSize?: number
  /** Open file descriptors. */
  readonly maxFds?: number
  /** Background jobs of one command. */
  readonly maxBgJobs?: number
  /** Stages of one pipeline. */
  readonly maxPipeline?: number
  /** Of one line of a command. */
  readonly maxInput?: number
  /** Files and directories. */
  readonly maxInodes?: number
  /** Nesting of calls and expressions. */
  readonly maxDepth?: number
}

/** A directory of the host whose files a session begins with. */
export interface DirectoryRecord {
  /** Where they are in the sandbox: absolute, and not the root. */
  readonly path: string
  /** The directory of the host: absolute. */
  readonly source: string
  /** `.gitignore` patterns relative to `source`; absent where nothing is excluded. */
  readonly exclude?: readonly string[]
}

/** Files, directories and links, as facts of a checkpoint. */
export interface TreeRecord {
  /** Facts of files alone. */
  readonly entries: readonly CheckpointEntry[]
  /** The bytes that they name. */
  readonly contents: readonly CheckpointContent[]
}

/** What every session of a sandbox begins with. Paths are absolute and normalized. */
export interface StartRecord {
  /** Files by path, written after the directories; absent where there are none. */
  readonly files?: readonly (readonly [path: string, content: Uint8Array])[]
  /** Directories of the host that are taken in; absent where there are none. */
  readonly directories?: readonly DirectoryRecord[]
  /** What a session begins with of a snapshot, put after the files; absent where that is nothing. */
  readonly tree?: TreeRecord
  /** Directories that exist and can be written; absent where there are none. */
  readonly writable?: readonly string[]
  /** The directory of the session; absent: its home. */
  readonly cwd?: string
  /** A script that runs at every open. */
  readonly init?: string
}

/** What the records of all engines have: a validated config as plain, cloneable data. */
interface CommonRecord extends StartRecord {
  readonly binds: readonly BindRecord[]
  readonly credentials: readonly { readonly url: string; readonly token: string }[]
  readonly allowedUrls: readonly string[]
  readonly env: readonly (readonly [name: string, value: string])[]
  readonly umask?: number
  /** Seconds. */
  readonly timeout?: number
  /** Nothing but what `allowedUrls` names may be reached. */
  readonly network?: 'restricted'
  /** A checkpoint is restored next: what runs at every open is left out. */
  readonly restores?: boolean
  /** The shell hands over what has changed after each call that may change something; absent: only when it is asked. */
  readonly handsOver?: 'call'
}

/** What a worker builds a Strands Shell from. */
export interface StrandsRecord extends CommonRecord {
  readonly engine: 'strands'
  readonly limits: LimitsRecord
  readonly mirror: MirrorRecord
  readonly configFile?: string
}

/** The bounds of a bash session, in bytes. */
export interface BashLimitsRecord {
  /** Of what one command gives on standard output and standard error together. */
  readonly maxOutput: number
  /** Of a file. */
  readonly maxFileSize: number
  /** Of all files together. */
  readonly maxFileSystem: number
  /** Of the heap of the worker: the bounds of strings and arrays follow from it. */
  readonly maxMemory: number
}

/** What a worker builds a bash session from. */
export interface BashRecord extends CommonRecord {
  readonly engine: 'bash'
  readonly cwd: string
  /** Whether there is `python3`. */
  readonly python: boolean
  /** Commands that are functions of the caller. */
  readonly commands: readonly HostCommandRecord[]
  readonly limits: BashLimitsRecord
  /** What commands cannot do; absent: nothing is refused. */
  readonly rules?: PolicyRules
}

/** The bounds of a session in a jail. Sizes are bytes. */
export interface JailLimitsRecord {
  /** Of what one command gives on standard output, and on standard error. */
  readonly maxOutput: number
  /** Of a file. */
  readonly maxFileSize: number
  /** Processes and threads at once. */
  readonly maxProcesses: number
  /** Of all processes together. */
  readonly maxMemory: number
  /** Files that one process has open. */
  readonly maxOpenFiles: number
}

/** What a worker builds a session in a jail from. */
export interface JailRecord extends CommonRecord {
  readonly engine: 'jail'
  readonly cwd: string
  /** The shell that runs its commands. */
  readonly interpreter: 'bash' | 'sh'
  /** A directory of the host whose programs and libraries the jail has; `'/'` is the host's own. */
  readonly root: string
  /** Bytes of the files that are in memory. */
  readonly tmpfs: number
  readonly limits: JailLimitsRecord
}

/** A validated sandbox config as plain, cloneable data: what a worker builds a shell from. */
export type ShellRecord = StrandsRecord | BashRecord | JailRecord
