/** What the command line exits with where the exit code is not the command's own. */
export const EXIT = {
  /** The doctor found something wrong, a job of a batch failed, or a command that was asked for is not there. */
  failed: 1,
  /** The command line is not valid: an option, a value, or a sandbox config made of them. */
  usage: 2,
  /** A policy asks for the approval of the command. */
  asks: 3,
  /** The command passed its time limit, as with timeout(1). */
  timeout: 124,
  /** The sandbox could not do its part, as with docker-run(1): the command may not have run. */
  runtime: 125,
  /** A policy denies the command. */
  denied: 126,
} as const

/** The signals that end the command line, and the exit codes shells give them. */
export const SIGNAL_EXITS = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const
