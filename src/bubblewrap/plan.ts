/** Something that a jail's file system has. Paths are absolute; a later one lies over those before it. */
export type JailMount =
  /** A file, directory or socket of the host. */
  | {
      readonly kind: 'bind'
      readonly source: string
      readonly destination: string
      readonly writable?: boolean
      /** It is left out where the host has none. */
      readonly optional?: boolean
    }
  /** An empty file system in memory. */
  | {
      readonly kind: 'tmpfs'
      readonly destination: string
      /** Bytes. Default: half of the machine's memory. */
      readonly size?: number
      /** Permissions of the directory. Default: `0o755` */
      readonly mode?: number
    }
  | { readonly kind: 'directory'; readonly destination: string; readonly mode?: number }
  | { readonly kind: 'symlink'; readonly target: string; readonly destination: string }
  /** A file with the bytes that are read from a descriptor of `bwrap`. */
  | { readonly kind: 'data'; readonly fd: number; readonly destination: string; readonly mode?: number }
  /** The processes of the jail. Settings of the machine that are beside them can be read. */
  | { readonly kind: 'proc'; readonly destination: string }
  /** `null`, `zero`, `full`, `random`, `urandom`, `tty`, `shm` and terminals. */
  | { readonly kind: 'dev'; readonly destination: string }
  /** What is mounted there can be written no more; what is mounted below it keeps its own. */
  | { readonly kind: 'readonly'; readonly destination: string }

/** A jail: a process that has namespaces of its own and no capability. */
export interface JailPlan {
  readonly mounts: readonly JailMount[]
  /** `'none'`: the jail has a network of its own, with nothing but a loopback. `'host'`: that of the host. */
  readonly network: 'none' | 'host'
  /** Who the process is inside. Files of the user of `bwrap` are this user's. */
  readonly user: { readonly uid: number; readonly gid: number }
  readonly hostname?: string
  readonly directory: string
  /**
   * All of the environment. Other users of the machine see it in the list of processes. Absent: the jail has the environment
   * with which `bwrap` was started.
   */
  readonly environment?: Readonly<Record<string, string>>
  /** The descriptor of `bwrap` from which it reads the seccomp filter. */
  readonly seccompFd: number
  /** The program, as the jail has it, and its arguments. */
  readonly command: readonly [program: string, ...args: string[]]
}
