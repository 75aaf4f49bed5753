/** A host directory made visible inside a sandbox, resolved: absolute source, explicit mode. */
export interface BindRecord {
  readonly source: string
  readonly destination: string
  readonly mode: 'direct' | 'copy' | 'passthrough'
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
  readonly maxOutput?: number
  readonly maxFileSize?: number
  readonly maxFds?: number
  readonly maxBgJobs?: number
  readonly maxPipeline?: number
  readonly maxInput?: number
  readonly maxInodes?: number
  readonly maxDepth?: number
}

/** A validated sandbox config as plain, cloneable data: what a worker builds a native shell from. */
export interface ShellRecord {
  readonly binds: readonly BindRecord[]
  readonly credentials: readonly { readonly url: string; readonly token: string }[]
  readonly allowedUrls: readonly string[]
  readonly env: readonly (readonly [name: string, value: string])[]
  readonly limits: LimitsRecord
  readonly mirror: MirrorRecord
  readonly umask?: number
  /** Seconds. */
  readonly timeout?: number
  readonly configFile?: string
}
