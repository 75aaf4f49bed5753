import type { BindConfig, CredentialConfig, HostedConfig } from '../../config/types.ts'

/**
 * The engine's caps, integers from 1 to 4294967295, and the runtime's own bounds of mirrored directories,
 * integers from 1. None can be switched off. Sizes are bytes.
 */
export interface LimitsConfig {
  /**
   * Bytes of output a command may give; the rest is cut and standard error says so.
   *
   * @default 1048576 (1 MiB)
   */
  readonly maxOutput?: number | undefined
  /**
   * Bytes a file of the sandbox may hold; larger writes reject with `SandboxLimitError`.
   *
   * @default 10485760 (10 MiB)
   */
  readonly maxFileSize?: number | undefined
  /**
   * Open file descriptors.
   *
   * @default 128
   */
  readonly maxFds?: number | undefined
  /**
   * Background jobs of one command.
   *
   * @default 8
   */
  readonly maxBgJobs?: number | undefined
  /**
   * Stages of one pipeline.
   *
   * @default 16
   */
  readonly maxPipeline?: number | undefined
  /**
   * Bytes of one line of a command; a command of several lines may be longer.
   *
   * @default 1048576 (1 MiB)
   */
  readonly maxInput?: number | undefined
  /**
   * Files and directories the sandbox may hold, and one host directory of `files`. Memory is bounded by this times `maxFileSize`.
   *
   * @default 10000
   */
  readonly maxInodes?: number | undefined
  /**
   * Nesting of calls and expressions.
   *
   * @default 64
   */
  readonly maxDepth?: number | undefined
  /**
   * Files, directories and links that one mirrored directory (a writable direct bind) may hold. Opening a
   * larger one is refused: bind something narrower, exclude parts of it, or use another mode.
   *
   * @default 5000
   */
  readonly mirrorMaxFiles?: number | undefined
  /**
   * Bytes that the files of one mirrored directory, or of one host directory of `files`, may hold together; otherwise as
   * `mirrorMaxFiles`.
   *
   * @default 67108864 (64 MiB)
   */
  readonly mirrorMaxBytes?: number | undefined
}

/**
 * The configuration of a Strands Shell sandbox. It has the shape of the engine's own, plus how the
 * runtime treats the session. It is validated and copied once: later changes to the object change
 * nothing, and keys it does not know are refused.
 */
export interface StrandsShellConfig extends HostedConfig {
  /**
   * The shell that the config is for, so that one object works everywhere.
   *
   * @default 'strands'
   */
  readonly shell?: 'strands' | undefined
  /**
   * Host directories made visible inside.
   *
   * @default []
   */
  readonly binds?: readonly BindConfig[] | undefined
  /**
   * Tokens the engine adds to outgoing requests.
   *
   * @default []
   */
  readonly credentials?: readonly CredentialConfig[] | undefined
  /**
   * The engine's caps, and the bounds of mirrored directories.
   *
   * @default {} (the defaults of {@link LimitsConfig})
   */
  readonly limits?: LimitsConfig | undefined
  /**
   * A TOML file the engine reads first; the fields given here win over it. A relative path is taken
   * from the working directory at construction. Such a file can start host processes: name only one
   * that you trust.
   *
   * @default undefined (none)
   */
  readonly configFile?: string | undefined
}
