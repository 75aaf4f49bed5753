import type { CommandScope } from '../contract/shell-api.ts'
import type { ResolvedExecuteOptions } from '../sandbox/arguments.ts'

/** What the options scope to their call; empty where they scope nothing, so that it can be spread. */
export function scopeOf({ cwd, env }: ResolvedExecuteOptions): { readonly scope?: CommandScope } {
  if (cwd === undefined && env === undefined) return {}
  return { scope: { ...(cwd === undefined ? {} : { cwd }), ...(env === undefined ? {} : { env }) } }
}
