/** Where the words of a command lead. */
export interface Place {
  /** Absolute, as seen in the sandbox. */
  readonly workdir: string
  /** The same directory on the host; undefined where the host cannot see it. */
  readonly hostWorkdir: string | undefined
}

/** A word as a path. */
export interface ResolvedWord {
  /** Absolute, in the sandbox; where the host sees it, its real path. */
  readonly path: string
  /** Relative to the workdir: as it is written, and as it really is. Undefined where it leads out. */
  readonly inside: readonly string[] | undefined
}
