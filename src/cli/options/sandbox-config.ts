import { mergeConfig } from '../../config/merge.ts'
import type { Isolation } from '../../contract/isolation.ts'
import { SandboxConfigError } from '../../sandbox/errors.ts'
import type { ShellHost } from '../../shell-host/shell-host.ts'
import type { StrandsShellConfig } from '../../strands-shell/config/types.ts'
import { CliError, exitCodeOf } from '../failure.ts'
import type { SandboxOptions } from './sandbox-options.ts'

/** The sandbox config that the options stand for: those of the command line over those of the config file. */
export async function configOf(options: SandboxOptions): Promise<StrandsShellConfig> {
  if (options.config === undefined) return configOfOptions(options)
  const { readConfigFile } = await import('./config-file.ts')
  return mergeConfig(mergeConfig({}, await readConfigFile(options.config)), configOfOptions(options))
}

/** Of two values for one variable the last wins. */
function configOfOptions({ bind, allowUrl, env, timeout, isolation }: SandboxOptions): StrandsShellConfig {
  return {
    binds: bind,
    allowedUrls: allowUrl,
    env: env && Object.fromEntries(env),
    timeout,
    isolation,
  }
}

/** What sandboxes have for themselves: a closed network takes a process of their own. */
export function isolationOf(
  { isolation }: StrandsShellConfig,
  { network }: SandboxOptions,
  fallback: Isolation,
): Isolation {
  return isolation ?? (network === undefined || network === 'public' ? fallback : 'process')
}

/** The host that holds one sandbox to its network; undefined where the default host does. */
export async function hostOfOne(
  config: StrandsShellConfig,
  options: SandboxOptions,
): Promise<ShellHost | undefined> {
  const { network } = options
  if (network === undefined) return undefined
  const { ShellHost } = await import('../../shell-host/shell-host.ts')
  return new ShellHost({ isolation: isolationOf(config, options, 'worker'), network })
}

/** A refused config as a failure that speaks of options and of the config file; anything else as it is. */
export function inTermsOfOptions(error: unknown, options: SandboxOptions): unknown {
  if (!(error instanceof SandboxConfigError)) return error
  const { bind = [] } = options
  const text = error.message.replace(/^Invalid sandbox config: /, '')
  const message = isOfFile(error.field, options)
    ? `--config: ${text}`
    : text
        .replaceAll(
          /\bbinds\[(\d+)\](?:\.(source|destination|mode))?/g,
          (_, index: string, part?: string) => {
            const { source = '', destination = '' } = bind[Number(index)] ?? {}
            return `${part === undefined ? '' : `the ${part} of `}--bind "${source}:${destination}"`
          },
        )
        .replaceAll(/\ballowedUrls(?:\[\d+\]|(?=: ))/g, '--allow-url')
        .replaceAll(/\benv(?:\.(?=\w)|(?=\["))/g, '--env ')
        .replaceAll(/\btimeout (?=must )/g, '--timeout ')
        .replace(/^network: /, '--network: ')
  return new CliError(message, exitCodeOf(error), { cause: error })
}

const optionOfField = { binds: 'bind', allowedUrls: 'allowUrl', env: 'env', timeout: 'timeout' } as const

/** Whether a field's value comes from the config file: each was valid there, so one of both is at fault. */
function isOfFile(field: string, options: SandboxOptions): boolean {
  if (options.config === undefined || field === 'network') return false
  const [root = ''] = field.split(/[.[]/)
  return !Object.entries(optionOfField).some(
    ([name, option]) => name === root && options[option] !== undefined,
  )
}
