import type { ShellFunction } from '../just-bash.ts'

/** What a script says of itself before it runs. */
export interface Traits {
  /** Names that may become arrays. */
  readonly arrays: Set<string>
  /** The functions that it may define outside of subshells. */
  readonly definitions: ShellFunction[]
}
