import type { ShellFunction, StatementNode } from '../just-bash.ts'

/** What a script says of itself before it runs. */
export interface Traits {
  /** Names that may become arrays. */
  readonly arrays: Set<string>
  /** Names of the commands that it runs. */
  readonly commands: Set<string>
  /** It can change more than scalar variables and the directory, or end the shell. */
  stateful: boolean
  /** It changes a variable or the directory. */
  assigns: boolean
  /** It may run for long. */
  slow: boolean
  /** It sends the output of the shell itself to a file. */
  redirects: boolean
  /** It has a substitution of a command, or a pipeline. */
  captures: boolean
  /** The functions that it may define outside of subshells. */
  readonly definitions: ShellFunction[]
}

/** A script made ready to run. */
export interface Program extends Traits {
  readonly statements: readonly StatementNode[]
  /** For each statement the index of the first one of a later line. */
  readonly lineEnds: readonly number[]
  /** What is wrong with the line behind them: `line 3: syntax error ...`. */
  readonly problem?: string
}
