import type { BindConfig, CredentialConfig, HostedConfig } from '../../config/types.ts'

/** The bounds of a session in a jail. None can be switched off. Sizes are bytes. */
export interface JailLimits {
  /**
   * Output a command may give on standard output, and on standard error; the rest is cut and standard error says so.
   *
   * @default 10485760 (10 MiB)
   */
  readonly maxOutput?: number | undefined
  /**
   * Size of a file, whoever writes it. Programs may write 256 KiB in any case.
   *
   * @default 268435456 (256 MiB)
   */
  readonly maxFileSize?: number | undefined
  /**
   * Processes and threads at once.
   *
   * @default 512
   */
  readonly maxProcesses?: number | undefined
  /**
   * Memory of all processes together, its files in memory included.
   *
   * @default 1073741824 (1 GiB)
   */
  readonly maxMemory?: number | undefined
  /**
   * Files that one process has open.
   *
   * @default 1024
   */
  readonly maxOpenFiles?: number | undefined
}

/** A host directory or file in a jail. Fields that are not told here are those of {@link BindConfig}. */
export interface JailBindConfig extends Omit<BindConfig, 'mode'> {
  /**
   * How the jail and the host share it.
   *
   * `'direct'`: it is the host's own directory, mounted. Every read and write is one on the host, at once. A link that leads out
   * of the directory leads to a place in the jail.
   *
   * `'overlay'`: over the host's directory, which is never changed, lies what the jail writes, in memory, up to `tmpfs` bytes.
   * `changes()` tells it, and `applyChanges()` writes it to the host. It needs Linux 6.6.
   *
   * @default 'direct'
   */
  readonly mode?: 'direct' | 'overlay' | undefined
}

/**
 * The configuration of a jail. It is validated and copied once: later changes to the object change nothing, and keys it does not
 * know are refused.
 */
export interface JailConfig
  extends Omit<HostedConfig, 'isolation' | 'onInterrupt' | 'onLost' | 'checkpoint' | 'network'> {
  /**
   * The shell that the config is for, so that one object works everywhere. A `JailSandbox` needs none; a host opens jails only
   * where it says `'jail'`.
   *
   * @default 'jail'
   */
  readonly shell?: 'jail' | undefined
  /**
   * Host directories and files inside the jail, at places of their own: none lies inside another.
   *
   * @default []
   */
  readonly binds?: readonly JailBindConfig[] | undefined
  /**
   * The shell that runs the commands: `'bash'`, or `'sh'`, which is what `/bin/sh` of `root` is, such as dash. When a command ends
   * its shell, by `exit` or a timeout, `'sh'` keeps variables, options and the directory, but no functions, and standard error says so.
   *
   * @default 'bash'
   */
  readonly interpreter?: 'bash' | 'sh' | undefined
  /**
   * Whose programs and libraries the jail has, read-only: `'host'`, or a directory of the host that holds `/usr`, as an
   * unpacked image of a distribution does. It needs the shell of `interpreter`, `sh`, GNU coreutils, findutils and tar.
   *
   * @default 'host'
   */
  readonly root?: string | undefined
  /**
   * Bytes of all files in memory together: those of every directory that is no bind.
   *
   * @default 268435456 (256 MiB)
   */
  readonly tmpfs?: number | undefined
  /**
   * Tokens that the host adds to outgoing requests over plain HTTP, to the host and port of an `http` address. TLS it cannot read. A credential allows nothing: name the address in `allowedUrls`
   * too.
   *
   * @default []
   */
  readonly credentials?: readonly CredentialConfig[] | undefined
  /**
   * The bounds of the session.
   *
   * @default {} (the defaults of {@link JailLimits})
   */
  readonly limits?: JailLimits | undefined
  /**
   * A jail is a process of its own at every level. This says whether the thread that drives it drives others, too: `'shared'`, or
   * `'worker'` for one of its own.
   *
   * @default 'shared'
   */
  readonly isolation?: 'shared' | 'worker' | undefined
  /**
   * `'restricted'`: the jail may reach nothing but what `allowedUrls` names, as every jail.
   *
   * @default undefined
   */
  readonly network?: 'restricted' | undefined
  /**
   * What a per-call timeout or an abort does to the session. `'keep'`: the command is ended with all that it has started; the
   * session goes on. `'reset'`: the session ends, and the next call opens a fresh one.
   *
   * @default 'keep'
   */
  readonly onInterrupt?: 'keep' | 'reset' | undefined
  /**
   * What follows a lost session, once it was reported. `'reopen'`: the next call opens a fresh one. `'fail'`: every later call
   * rejects.
   *
   * @default 'reopen'
   */
  readonly onLost?: 'reopen' | 'fail' | undefined
}
