import { SandboxConfigError } from '../../sandbox/errors.ts'
import type { BindConfig, StrandsShellConfig } from '../../strands-shell/config/types.ts'
import { CliError, exitCodeOf } from '../failure.ts'
import type { Variable } from './parse-env.ts'

/** The options of `run`, as commander hands them over. */
export interface RunOptions {
  readonly bind?: readonly BindConfig[]
  readonly allowUrl?: readonly string[]
  readonly env?: readonly Variable[]
  /** Seconds. */
  readonly timeout?: number
  readonly cwd?: string
}

/** The sandbox config that the options stand for; of two values for one variable the last wins. */
export function configOf({ bind = [], allowUrl = [], env = [], timeout }: RunOptions): StrandsShellConfig {
  return {
    binds: bind,
    allowedUrls: allowUrl,
    env: Object.fromEntries(env),
    ...(timeout === undefined ? {} : { timeout }),
  }
}

/** A refused config as a failure that speaks of options; anything else as it is. */
export function inTermsOfOptions(error: unknown, { bind = [] }: RunOptions): unknown {
  if (!(error instanceof SandboxConfigError)) return error
  const message = error.message
    .replace(/^Invalid sandbox config: /, '')
    .replaceAll(/\bbinds\[(\d+)\](?:\.(source|destination|mode))?/g, (_, index: string, part?: string) => {
      const { source = '', destination = '' } = bind[Number(index)] ?? {}
      return `${part === undefined ? '' : `the ${part} of `}--bind "${source}:${destination}"`
    })
    .replaceAll(/\ballowedUrls\[\d+\]/g, '--allow-url')
    .replaceAll(/\benv(?:\.(?=\w)|(?=\["))/g, '--env ')
    .replaceAll(/\btimeout (?=must )/g, '--timeout ')
  return new CliError(message, exitCodeOf(error), { cause: error })
}
