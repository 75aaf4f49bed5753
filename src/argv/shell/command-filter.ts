import { pythonRepr } from '../python-repr.ts'
import { type CommandEntry, isAllowed, isBlocked } from './command-entries.ts'
import { findDenied } from './find-denied.ts'
import type { IgnorePattern } from './ignore-patterns.ts'
import type { Place } from './place.ts'
import { readCommand } from './read-command.ts'
import { hasShellOperator } from './shell-operators.ts'
import { splitWords } from './split-words.ts'

/** The filters of a {@link ShellAdapter}; undefined: there is none of that kind. */
export interface Filters {
  readonly allowed: readonly CommandEntry[] | undefined
  readonly blocked: readonly CommandEntry[] | undefined
  readonly ignore: readonly IgnorePattern[] | undefined
}

/** A command that passed: what is executed is exactly what was checked. */
type Checked = { readonly argv: readonly string[] } | { readonly refusal: string }

/** True with any filter: commands are then executed without a shell. */
export function isRestricted({ allowed, blocked, ignore }: Filters): boolean {
  return allowed !== undefined || blocked !== undefined || ignore !== undefined
}

/** Checks a command by all rules that need no sandbox. Without a filter it becomes one for `sh`. */
export function checkCommand(command: string, filters: Filters): Checked {
  if (!isRestricted(filters)) return { argv: ['sh', '-c', command] }
  const shown = pythonRepr(command)
  const pieces = readCommand(command)
  if (pieces === undefined) return { refusal: `Command not allowed (unbalanced quotes): ${shown}` }
  const argv = splitWords(pieces)
  if (filters.allowed !== undefined && !isAllowed(argv, filters.allowed)) {
    return { refusal: `Command not allowed: ${shown}` }
  }
  if (hasShellOperator(pieces)) {
    return {
      refusal: `Command not allowed (shell syntax is not available in restricted mode): ${shown}`,
    }
  }
  if (filters.blocked !== undefined && isBlocked(argv, filters.blocked)) {
    return { refusal: `Command not allowed: ${shown}` }
  }
  return { argv }
}

/** Checks the words of a command by the rule that needs to know where they lead. */
export function refuseWords(
  argv: readonly string[],
  filters: Filters,
  place: () => Place,
): string | undefined {
  if (filters.ignore === undefined) return undefined
  const denied = findDenied(argv, place(), filters.ignore)
  return denied === undefined ? undefined : `Access denied: ${denied}`
}
