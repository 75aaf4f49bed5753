/** What a script says of itself before it runs. Advisory: what is only known at run time is in `opaque`. */
export interface ScriptAnalysis {
  /** False where the text is no script that bash reads; then all else is empty but `opaque`. */
  readonly parsed: boolean
  /** Every command, in the order of the text, those in functions, substitutions, `eval`, `sh -c` and the like included. */
  readonly commands: readonly AnalyzedCommand[]
  /** Files that redirects read and write. */
  readonly redirects: readonly AnalyzedRedirect[]
  /** Variables that are set, in the order of the text. */
  readonly assignments: readonly AnalyzedAssignment[]
  /** The names of functions that the script defines. */
  readonly functions: readonly string[]
  /** The texts of command and process substitutions. */
  readonly substitutions: readonly string[]
  /** What is only known at run time. */
  readonly opaque: readonly OpaquePart[]
}

/** One command of a script. */
export interface AnalyzedCommand {
  /** Its name without quotes, as it is dispatched; undefined where it is only known at run time. */
  readonly name: string | undefined
  /** Its arguments without quotes; undefined for one that is only known at run time, such as `$x` or `*.ts`. */
  readonly args: readonly (string | undefined)[]
  /** The text of the command, as written. */
  readonly text: string
  /** Where it stands: the program that runs it, such as `xargs` or `find`; undefined for a command of the script. */
  readonly via: string | undefined
}

/** A file that a redirect names. */
export interface AnalyzedRedirect {
  /** What is done with the file; `both` opens it to read and write. */
  readonly mode: 'read' | 'write' | 'append' | 'both'
  /** Undefined where it is only known at run time. */
  readonly path: string | undefined
}

/** An assignment, before a command or by itself, or of `export`, `declare`, `local` and `readonly`. */
export interface AnalyzedAssignment {
  /** The name of the variable. */
  readonly name: string
  /** Undefined where it is only known at run time. */
  readonly value: string | undefined
}

/** A part of a script that is only known at run time. */
export interface OpaquePart {
  /**
   * What is not known: the `name` of a command, a `script` that is run, what a `file` that is run has, all of what cannot be
   * read (`syntax`), or what code of another `language` does.
   */
  readonly kind: 'name' | 'script' | 'file' | 'syntax' | 'language'
  /** The text, as written. */
  readonly text: string
}
