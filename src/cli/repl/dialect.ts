import type { EngineName } from '../../contract/lease.ts'
import type { ExecutionResult } from '../../sandbox/results.ts'
import { ENGINE_BUILTINS } from '../../tools/engine-commands.ts'
import { BASH_BUILTINS } from '../../tools/shells/bash-commands.ts'
import { isBeginning } from './unfinished.ts'
import { isBeginningInBash } from './unfinished-bash.ts'

/** What a conversation has to know of a shell. */
export interface Dialect {
  /** The home of every session. */
  readonly home: string
  /** What is part of the shell: no listing of programs has it. */
  readonly builtins: readonly string[]
  /** Whether a text that the shell did not run is the beginning of a command. */
  isBeginning(text: string, result: ExecutionResult): boolean
}

/** The dialects of the shells. */
export const dialects: Readonly<Record<EngineName, Dialect>> = {
  strands: { home: '/home/lash', builtins: ENGINE_BUILTINS, isBeginning },
  bash: { home: '/home/user', builtins: BASH_BUILTINS, isBeginning: isBeginningInBash },
  jail: { home: '/home/user', builtins: BASH_BUILTINS, isBeginning: isBeginningInBash },
}
