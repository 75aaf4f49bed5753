import type { BindConfig, CredentialConfig } from '../../config/types.ts'
import type { Isolation } from '../../contract/isolation.ts'

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
   * Files and directories the sandbox may hold. Memory is bounded by this times `maxFileSize`.
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
   * Bytes that the files of one mirrored directory may hold together; otherwise as `mirrorMaxFiles`.
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
export interface StrandsShellConfig {
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
   * Address prefixes. In cells of a host with `network: 'allowlist'`, its default: all that the sandbox may reach; without an
   * entry it reaches nothing. In threads: the loopback, private, link-local and metadata addresses that it may reach besides
   * every public host.
   *
   * @default []
   */
  readonly allowedUrls?: readonly string[] | undefined
  /**
   * Variables the session starts with. Commands see them, so a secret does not belong here.
   *
   * @default {}
   */
  readonly env?: Readonly<Record<string, string>> | undefined
  /**
   * The permission bits taken from new files: an integer from 0 to 0o777.
   *
   * @default 0o022
   */
  readonly umask?: number | undefined
  /**
   * Seconds a command may run before the engine ends it with exit code 124; the session lives on. A
   * positive, finite number of at most 86400 (a day).
   *
   * @default 30
   */
  readonly timeout?: number | undefined
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
  /**
   * What the sandbox has for itself. `'worker'`: its own worker thread. `'shared'`: its own shell in a worker
   * thread that it shares. `'process'`: its own worker thread in a child process.
   *
   * @default the host's: 'worker' for sandboxes without a host, 'process' for those of a ShellHost that does not say
   */
  readonly isolation?: Isolation | undefined
  /**
   * What a per-call timeout or an abort does to the session. `'keep'`: files and variables stay, and
   * later calls wait until the interrupted command has ended. `'reset'`: the session is retired at
   * once, and the next call opens a fresh one.
   *
   * @default 'keep'
   */
  readonly onInterrupt?: 'keep' | 'reset' | undefined
  /**
   * What follows a lost session, once it was reported. `'reopen'`: the next call opens a fresh one.
   * `'fail'`: every later call rejects.
   *
   * @default 'reopen'
   */
  readonly onLost?: 'reopen' | 'fail' | undefined
  /**
   * Calls that may wait in the sandbox at once; a further one rejects with `SandboxLimitError`.
   *
   * @default 1000
   */
  readonly maxPending?: number | undefined
}
