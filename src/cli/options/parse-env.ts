import { usageError } from '../failure.ts'

/** A variable of the session. */
export type Variable = readonly [name: string, value: string]

/**
 * Parses `NAME=VALUE`; the value may be empty and may hold further `=`. Whether the name is a good one is
 * the config's to say.
 *
 * @throws CliError, which does not repeat the text: it may be a secret.
 */
export function parseEnv(assignment: string): Variable {
  const equals = assignment.indexOf('=')
  if (equals > 0) return [assignment.slice(0, equals), assignment.slice(equals + 1)]
  const problem = equals === 0 ? 'the name is empty' : 'there is no "="'
  throw usageError(
    `--env: expected NAME=VALUE, but ${problem}. A variable of this process is passed on as --env NAME="$NAME".`,
  )
}
