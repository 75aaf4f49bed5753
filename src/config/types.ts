import type { Isolation } from '../contract/isolation.ts'
import type { Policy } from '../policy/types.ts'
import type { CheckpointPolicy } from './continuation.ts'
import type { StartFiles } from './files.ts'

/** What every hosted sandbox takes, whatever its engine. */
export interface HostedConfig {
  /**
   * Files that every session begins with, by absolute path: text, bytes (`{ base64 }` in JSON and TOML), or what a host
   * directory holds, `{ directory, exclude }`. At most 1000 texts and bytes. A host directory is read at every open; of it
   * come files, directories, and links that stay inside. The host's files never change.
   *
   * A directory that does not exist is made, and can be written. A file of its own wins over one of a directory.
   *
   * @default {}
   */
  readonly files?: StartFiles | undefined
  /**
   * The directory that a session begins in: an absolute path, made where it does not exist.
   *
   * @default the home: '/home/lash' of Strands Shell, '/home/user' of bash
   */
  readonly cwd?: string | undefined
  /**
   * A script that runs in the session at every open and reopen, except where a bash session goes on with its files and
   * variables. It has the time limit of a command. Where it ends with another exit code than 0, opening rejects with
   * `SandboxConfigError` and the field `init`; the message ends with its output, of which at most 4000 characters.
   *
   * @default undefined (none)
   */
  readonly init?: string | undefined
  /**
   * Directories that exist and can be written: absolute paths, held in memory. Home and `/tmp` always are.
   *
   * @default ['/workspace'] for Strands Shell; [] for bash, where every directory can be written
   */
  readonly writable?: readonly string[] | undefined
  /**
   * Address prefixes that the sandbox may reach: scheme, host and port equal, the path as a prefix that ends at a segment.
   * A name is reached at public addresses only; an entry that is an IP address or `localhost` opens that host.
   *
   * Whether it reaches anything else depends on the level. Bash, at every level: nothing; without an entry there is no
   * `curl`. Strands Shell in cells: nothing, unless the host's `network` is `'public'`. Strands Shell in a thread: every
   * public host; its entries open private addresses besides. `network: 'restricted'` refuses a level that reaches more.
   *
   * @default []
   */
  readonly allowedUrls?: readonly string[] | undefined
  /**
   * `'restricted'`: the sandbox may reach nothing but what `allowedUrls` names, and opening rejects where its isolation
   * level cannot hold it to that. Bash is held at every level, Strands Shell in cells (`isolation: 'process'`) of a host
   * whose `network` is not `'public'`.
   *
   * @default undefined (what the isolation level and the host hold)
   */
  readonly network?: 'restricted' | undefined
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
   * next call opens a fresh one. `'restore'`: the same, and the next call has all that there was before the interrupted one.
   *
   * @default 'keep'
   */
  readonly onInterrupt?: 'keep' | 'reset' | 'restore' | undefined
  /**
   * What follows a lost session, once it was reported. `'reopen'`: the next call opens a fresh one. `'restore'`: the next call
   * has all that the last checkpoint holds. `'fail'`: every later call rejects.
   *
   * @default 'restore' where checkpoints are taken, else 'reopen'
   */
  readonly onLost?: 'reopen' | 'fail' | 'restore' | undefined
  /**
   * When a checkpoint of the session is taken: files, variables, functions and options. `'call'`: after each call that can have
   * changed something. `{ every, idle }`: at most `every` seconds after such a call, and after `idle` seconds without a call.
   * `'never'`: none. A host that hibernates puts the checkpoints of its named sandboxes into its store.
   *
   * @default 'call' for a BashSandbox, and where `onLost` or `onInterrupt` is 'restore'; else 'never'
   */
  readonly checkpoint?: CheckpointPolicy | undefined
  /**
   * Calls that may wait in the sandbox at once; a further one rejects with `SandboxLimitError`.
   *
   * @default 1000
   */
  readonly maxPending?: number | undefined
  /**
   * What the sandbox goes by in events, such as `{ tenant, user, run }`: at most 16 names of letters, digits and underscores, and
   * texts of at most 256 characters. Not for secrets.
   *
   * @default {}
   */
  readonly labels?: Readonly<Record<string, string>> | undefined
  /**
   * Decides on every command, code and file operation before it runs; of an array each one has to allow it, after those of the
   * host. A command that is denied ends with status 126 and the reason on standard error; a file operation rejects with
   * `SandboxPermissionError`. A sandbox with a policy has no synchronous calls.
   *
   * @default undefined (all that the shell can do)
   */
  readonly policy?: Policy | readonly Policy[] | undefined
  /**
   * Seconds that a policy may take for a call. Then the call is denied. What an approver takes does not count.
   *
   * @default 5
   */
  readonly policyTimeout?: number | undefined
  /**
   * Seconds that an approver may take for a call. Then the call is denied.
   *
   * @default 300
   */
  readonly approvalTimeout?: number | undefined
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
