import type { Isolation } from '../../contract/isolation.ts'

/** The bounds of a bash session. None can be switched off. Sizes are bytes. */
export interface BashLimits {
  /**
   * Output a command may give on standard output and standard error together; the rest is cut and standard error says so.
   *
   * @default 10485760 (10 MiB)
   */
  readonly maxOutput?: number | undefined
  /**
   * Size of a file.
   *
   * @default the value of `maxFileSystem`
   */
  readonly maxFileSize?: number | undefined
  /**
   * Size of all files together.
   *
   * @default 268435456 (256 MiB)
   */
  readonly maxFileSystem?: number | undefined
  /**
   * Heap of the session's worker, from 64 MiB. The bounds of strings and arrays follow from it. Sandboxes with different
   * values do not share workers.
   *
   * @default 268435456 (256 MiB)
   */
  readonly maxMemory?: number | undefined
}

/**
 * The configuration of a bash sandbox. It is validated and copied once: later changes to the object change nothing, and
 * keys it does not know are refused.
 */
export interface BashConfig {
  /**
   * Files that every session begins with: text or bytes by absolute path.
   *
   * @default {}
   */
  readonly files?: Readonly<Record<string, string | Uint8Array>> | undefined
  /**
   * The directory that a session begins in: an absolute path, made where it does not exist.
   *
   * @default '/home/user'
   */
  readonly cwd?: string | undefined
  /**
   * A script that runs at every open and reopen. Where it ends with another exit code than 0, opening rejects with its output.
   *
   * @default undefined (none)
   */
  readonly init?: string | undefined
  /**
   * Directories that must be writable. Every directory of a bash sandbox is: the list is only checked.
   *
   * @default []
   */
  readonly writable?: readonly string[] | undefined
  /**
   * Whether there is `python3`: CPython in WebAssembly.
   *
   * @default false
   */
  readonly python?: boolean | undefined
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
   * Seconds a command may run before it ends with exit code 124; the session lives on. At most 86400 (a day).
   *
   * @default 30
   */
  readonly timeout?: number | undefined
  /**
   * The bounds of the session.
   *
   * @default {} (the defaults of {@link BashLimits})
   */
  readonly limits?: BashLimits | undefined
  /**
   * What the sandbox has for itself, as for every hosted sandbox.
   *
   * @default the host's: 'worker' for sandboxes without a host, 'process' for those of a ShellHost that does not say
   */
  readonly isolation?: Isolation | undefined
  /**
   * What a per-call timeout or an abort does. `'keep'`: the command stops at its next step, and files and variables stay.
   * `'reset'`: the session is given up at once, and the next call opens a fresh one.
   *
   * @default 'keep'
   */
  readonly onInterrupt?: 'keep' | 'reset' | undefined
  /**
   * What follows a lost session, once it was reported. `'reopen'`: the next call opens a fresh one. `'fail'`: every later
   * call rejects.
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
