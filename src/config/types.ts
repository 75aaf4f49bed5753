import type { Isolation } from '../contract/isolation.ts'

/** What every hosted sandbox takes, whatever its engine. */
export interface HostedConfig {
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
   * positive number of at most 86400 (a day).
   *
   * @default 30
   */
  readonly timeout?: number | undefined
  /**
   * What the sandbox has for itself. `'worker'`: its own worker thread. `'shared'`: its own shell in a worker
   * thread that it shares. `'process'`: its own worker thread in a child process.
   *
   * @default the host's: 'worker' for sandboxes without a host, 'process' for those of a ShellHost that does not say
   */
  readonly isolation?: Isolation | undefined
  /**
   * What a per-call timeout or an abort does to the session. `'keep'`: files and variables stay, and later
   * calls run when the interrupted command has ended. `'reset'`: the session is retired at once, and the
   * next call opens a fresh one.
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
   * beside it. The directory must fit `limits.mirrorMaxFiles` and
   * `limits.mirrorMaxBytes`, and the sources of two such binds are never the same or one inside
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
