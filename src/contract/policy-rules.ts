/** What an engine refuses while a command runs, whatever the text of the command says. */
export interface PolicyRules {
  /** The only programs that run, each a name as in PATH or an absolute path; undefined: all. Builtins of bash run in any case. */
  readonly allowed?: readonly string[]
  /** Programs that do not run, and builtins. */
  readonly denied?: readonly string[]
  /** Absolute paths that cannot be written, with all below. Of two that hold a path, the longer one decides. */
  readonly protectedPaths?: readonly string[]
  /** Absolute paths below protected ones that can be written, with all below. */
  readonly writablePaths?: readonly string[]
}
