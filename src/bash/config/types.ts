import type { HostCommandMap } from '../../config/host-command.ts'
import type { BindConfig, CredentialConfig, HostedConfig } from '../../config/types.ts'

/** The bounds of a bash session. None can be switched off. Sizes are bytes. */
export interface BashLimits {
  /**
   * Output a command may give on standard output, and on standard error; the rest is cut and standard error says so.
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

/** A host directory or file in a bash sandbox. Fields that are not told here are those of {@link BindConfig}. */
export interface BashBindConfig extends Omit<BindConfig, 'mode'> {
  /**
   * How the sandbox and the host share it.
   *
   * `'direct'`: live. Every read and write of a command is one on the host, at once. No link leads out of the directory.
   *
   * `'copy'`: the host's files, read when they are needed, under the sandbox's own changes, which stay in memory and
   * count to `limits.maxFileSystem`. The host sees them when `applyChanges()` writes them there.
   *
   * A bind with `readonly: true` is live in either mode, and refuses every write.
   *
   * @default 'direct'
   */
  readonly mode?: 'direct' | 'copy' | undefined
}

/**
 * The configuration of a bash sandbox. It is validated and copied once: later changes to the object change nothing, and
 * keys it does not know are refused.
 */
export interface BashConfig extends HostedConfig {
  /**
   * The shell that the config is for, so that one object works everywhere. A `BashSandbox` needs none; a host opens bash
   * only where it says `'bash'`.
   *
   * @default 'bash'
   */
  readonly shell?: 'bash' | undefined
  /**
   * Host directories and files inside the sandbox, at places of their own. They may lie inside each other.
   *
   * @default []
   */
  readonly binds?: readonly BashBindConfig[] | undefined
  /**
   * Whether there is `python3`: CPython in WebAssembly.
   *
   * @default false
   */
  readonly python?: boolean | undefined
  /**
   * Tokens that the worker adds to outgoing requests. A credential allows nothing: name the address in `allowedUrls` too.
   *
   * @default []
   */
  readonly credentials?: readonly CredentialConfig[] | undefined
  /**
   * Functions of this thread as commands of the shell: they work in pipes, loops and substitutions. A program of the same
   * name is replaced. Under `sandbox.sync` and in `init` they fail, because this thread cannot answer. The sandbox holds
   * them; its host does not.
   *
   * @default {}
   */
  readonly commands?: HostCommandMap | undefined
  /**
   * The bounds of the session.
   *
   * @default {} (the defaults of {@link BashLimits})
   */
  readonly limits?: BashLimits | undefined
}
