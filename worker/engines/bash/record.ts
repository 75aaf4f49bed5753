/** A host directory in the file system of the sandbox. */
export interface BashBindRecord {
  /** Absolute path on the host. */
  readonly source: string
  /** Absolute path in the sandbox. */
  readonly destination: string
  /** `'direct'`: live on the host. `'copy'`: host files read on demand, changes kept in memory. */
  readonly mode: 'direct' | 'copy'
  readonly readonly: boolean
}

/** A validated config as plain, cloneable data: what a worker builds a bash session from. */
export interface BashRecord {
  /** The URL of just-bash's ESM bundle, resolved by the host. */
  readonly bundle: string
  /** Files at open, by absolute path. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>
  /** Absolute. Default `/home/user`. */
  readonly cwd?: string
  /** Variables at open; all are exported. */
  readonly env?: readonly (readonly [name: string, value: string])[]
  /** A script that runs at open, before the first command. */
  readonly init?: string
  readonly binds?: readonly BashBindRecord[]
  /** Permission bits that new files do not get. Default `0o022`. */
  readonly umask?: number
  /** Seconds that a command may take. Default 30. */
  readonly timeout?: number
  readonly limits?: BashLimitsRecord
  readonly network?: BashNetworkRecord
  /** Adds `python3`. */
  readonly python?: boolean
  /** The shared word by which the host stops a command: any value but 0. */
  readonly stop?: SharedArrayBuffer
}

/** Bounds in bytes. */
export interface BashLimitsRecord {
  /** Of one command's stdout and stderr together. Default 10 MiB. */
  readonly maxOutput?: number
  readonly maxFileSize?: number
  /** Of all files in memory. Default 256 MiB. */
  readonly maxFileSystem?: number
  /** Of the worker's heap. Bounds of strings, arrays and queries follow from it. Default 256 MiB. */
  readonly maxMemory?: number
}

/** Where requests may go. */
export interface BashNetworkRecord {
  /** URL prefixes. */
  readonly allowedUrls: readonly string[]
  /** Headers added to requests under a prefix. */
  readonly credentials: readonly {
    readonly url: string
    readonly headers: readonly (readonly [name: string, value: string])[]
  }[]
  /** Whether names may resolve to private addresses. Default false. */
  readonly allowPrivate?: boolean
}
