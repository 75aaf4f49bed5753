import { shellQuote } from '../sandbox/quoting.ts'
import type { ResolvedExecuteOptions } from './config/options.ts'

/**
 * The shell text that gives one command its directory and variables. Every word is quoted: aliases of the
 * session do not reach quoted words.
 *
 * @returns undefined where the options scope nothing
 */
export function scopeOf({ cwd, env }: ResolvedExecuteOptions): string | undefined {
  const steps = cwd === undefined ? [] : [`'cd' ${shellQuote(cwd)}`]
  if (env !== undefined)
    steps.push(`'export' ${env.map(([name, value]) => `${name}=${shellQuote(value)}`).join(' ')}`)
  return steps.length === 0 ? undefined : steps.join(' && ')
}
