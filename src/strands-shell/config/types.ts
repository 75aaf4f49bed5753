import type { Isolation } from '../../host/options.ts'

/** A host directory made visible inside the sandbox. */
export interface BindConfig {
  /** The host directory. A relative path is taken from the working directory at construction. */
  readonly source: string
  /**
   * Where it appears inside the sandbox: an absolute path without `..`. Two binds never share one, and
   * only a copy may take a place that every sandbox has, such as `/tmp`: it adds to what is there.
   */
  readonly destination: string
  /**
   * How the sandbox and the host share it.
   *
   * `'direct'`, writable: mirrored. What changed on the host is brought in at the start of a call, and what
   * the call changed is written to the host at its end, before it resolves; in between neither side sees the
   * other. Where both changed a file during one call, the sandbox's version wins and the host's is kept
   * beside it. The directory must fit {@link LimitsConfig.mirrorMaxFiles} and
   * {@link LimitsConfig.mirrorMaxBytes}, and the sources of two such binds are never the same or one inside
   * the other.
   *
   * `'direct'`, read-only: the host directory as it is, live, served by the engine.
   *
   * `'copy'`: the sandbox's own copy, made at open. The host never sees a change, unless
   * `applyChanges()` writes it there.
   *
   * `'passthrough'`: the engine's own writable bind, which loses data: of appends in quick succession some
   * vanish, removing a symbolic link removes its target, and reading a FIFO never ends. See docs/binds.md.
   * For directories too large to mirror whose files are each written once. Never read-only.
   *
   * @default 'direct'
   */
  readonly mode?: 'direct' | 'copy' | 'passthrough' | undefined
  /**
   * Whether commands may only read it. The engine leaves a read-only copy writable inside the sandbox;
   * the host is safe either way.
   *
   * @default false
   */
  readonly readonly?: boolean | undefined
  /**
   * What to keep out: patterns as in a `.gitignore`, relative to the bind's root, one each, such as
   * `node_modules/` or `*.log`. The sandbox does not see what they match, and never changes it on the host.
   * For writable direct binds and copies; the others show the host directory as it is.
   *
   * @default [] (nothing)
   */
  readonly exclude?: readonly string[] | undefined
}

/**
 * A bearer token the engine adds to requests whose address begins with `url`. Commands never see it.
 * Exactly one of `token` and `envVar` is given.
 */
export interface CredentialConfig {
  /**
   * The host the token is for, like `https://api.example.com/`, with its port where that is not the scheme's own. A
   * path is refused: the engine compares text, and a token for `/v1` would also go to `/v1/../other`. For the
   * same reason a command gets the token only where it writes the host as it is here.
   */
  readonly url: string
  /** The token itself. It never appears in an error, a log line, `util.inspect` output or JSON. */
  readonly token?: string | undefined
  /** The variable of this process's environment that holds the token; it is read at each open. */
  readonly envVar?: string | undefined
}

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
   * later calls wait until the interrupted command has ended. `'reset'`: the session is given up at
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
