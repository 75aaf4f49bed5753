import type { Outputs } from './output.ts'

/** What a subcommand gets besides its words. */
export interface Context {
  readonly outputs: Outputs
  /** Says what the program exits with. */
  readonly exit: (code: number) => void
}
