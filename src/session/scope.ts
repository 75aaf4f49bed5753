import type { CommandRequest } from '../contract/shell-api.ts'
import type { ResolvedExecuteOptions } from '../sandbox/arguments.ts'

/** What the options scope to their call; empty where they scope nothing, so that it can be spread. */
export function scopeOf({ cwd, env }: ResolvedExecuteOptions): Pick<CommandRequest, 'scope'> {
  if (cwd === undefined && env === undefined) return {}
  return { scope: { ...(cwd === undefined ? {} : { cwd }), ...(env === undefined ? {} : { env }) } }
}

/** What the options give a request: its scope and its standard input; empty where they give neither. */
export function givenBy(options: ResolvedExecuteOptions): Pick<CommandRequest, 'scope' | 'stdin'> {
  const scope = scopeOf(options)
  return options.stdin === undefined ? scope : { ...scope, stdin: options.stdin }
}
