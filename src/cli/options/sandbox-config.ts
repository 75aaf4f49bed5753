import { resolve } from 'node:path/posix'
import { mergeConfig } from '../../config/merge.ts'
import type { Isolation } from '../../contract/isolation.ts'
import type { EngineName } from '../../contract/lease.ts'
import { SandboxConfigError } from '../../sandbox/errors.ts'
import type { SandboxConfig } from '../../shell-host/sandbox-config.ts'
import type { ShellHost } from '../../shell-host/shell-host.ts'
import { type ConfigFields, checkConfig, directoryOf, hasField, shellOf } from '../../shell-host/shells.ts'
import { CliError, exitCodeOf, usageError } from '../failure.ts'
import { readFiles } from './read-files.ts'
import type { SandboxOptions } from './sandbox-options.ts'

/** A sandbox config of the command line. */
export interface CliConfig extends ConfigFields {
  readonly shell: EngineName
  readonly isolation?: Isolation
}

/**
 * The sandbox config that the options stand for: those of the command line over those of the config file. `fallback` is
 * the shell where neither names one.
 *
 * @throws CliError for an option that the shell does not have, and for a config file that is not valid
 */
export async function configOf(options: SandboxOptions, fallback: EngineName): Promise<CliConfig> {
  const file = await fileConfig(options, fallback)
  const shell = options.shell ?? shellOf(file) ?? fallback
  const given = await configOfOptions(options)
  refuseOptionsOfOthers(shell, given, options)
  return { ...mergeConfig(file, given), shell }
}

/** A config whose sessions begin in a directory, which a relative path names from the home. */
export function inDirectory(config: CliConfig, directory: string | undefined): CliConfig {
  return directory === undefined
    ? config
    : { ...config, cwd: resolve(directoryOf(config.shell, {}), directory) }
}

/** Makes a config that was checked one of its type. @throws SandboxConfigError naming the field that is not valid */
export function asSandboxConfig(config: CliConfig): SandboxConfig {
  checkConfig(config.shell, config)
  return config.shell === 'bash' ? { ...config, shell: 'bash' } : { ...config, shell: 'strands' }
}

async function fileConfig(options: SandboxOptions, fallback: EngineName): Promise<ConfigFields> {
  if (options.config === undefined) return {}
  const { readConfigFile } = await import('./config-file.ts')
  return readConfigFile(options.config, options.shell, fallback)
}

/** Of two values for one variable the last wins. */
async function configOfOptions(options: SandboxOptions): Promise<ConfigFields> {
  const { bind, file, writable, init, allowUrl, env, timeout, isolation, python } = options
  return {
    binds: bind,
    files: file && (await readFiles(file)),
    writable,
    init,
    allowedUrls: allowUrl,
    env: env && Object.fromEntries(env),
    timeout,
    isolation,
    python,
  }
}

const optionOfField = {
  binds: 'bind',
  files: 'file',
  writable: 'writable',
  init: 'init',
  allowedUrls: 'allowUrl',
  env: 'env',
  timeout: 'timeout',
  python: 'python',
} as const
const flags = { binds: '--bind', allowedUrls: '--allow-url', python: '--python' } as const

function refuseOptionsOfOthers(shell: EngineName, given: ConfigFields, { network }: SandboxOptions): void {
  const other = shell === 'bash' ? 'strands' : 'bash'
  for (const [field, flag] of Object.entries(flags)) {
    if (given[field] === undefined || hasField(shell, field)) continue
    throw usageError(`${flag}: the ${shell} shell does not have this option. Use --shell ${other}.`)
  }
  if (shell !== 'bash' || network !== 'public') return
  throw usageError(
    '--network: the bash shell never reaches all public hosts. Leave --network out, or use --shell strands.',
  )
}

/** What sandboxes have for themselves: a closed network takes a process of their own. */
export function isolationOf(
  { isolation }: CliConfig,
  { network }: SandboxOptions,
  fallback: Isolation,
): Isolation {
  return isolation ?? (network === undefined || network === 'public' ? fallback : 'process')
}

/** The host that holds one sandbox to its network; undefined where the default host does. */
export async function hostOfOne(config: CliConfig, options: SandboxOptions): Promise<ShellHost | undefined> {
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
        .replaceAll(/\bfiles\["([^"\\]*)"\](?:\.directory)?/g, '--file "$1"')
        .replaceAll(/\bwritable\[\d+\]/g, '--writable')
        .replace(/^init (?=ended|could)/, '--init ')
        .replaceAll(/\ballowedUrls(?:\[\d+\]|(?=: ))/g, '--allow-url')
        .replaceAll(/\benv(?:\.(?=\w)|(?=\["))/g, '--env ')
        .replaceAll(/\btimeout (?=must )/g, '--timeout ')
        .replace(/^network: /, '--network: ')
  return new CliError(message, exitCodeOf(error), { cause: error })
}

/** Whether a field's value comes from the config file: each was valid there, so one of both is at fault. */
function isOfFile(field: string, options: SandboxOptions): boolean {
  if (options.config === undefined || field === 'network') return false
  const [root = ''] = field.split(/[.[]/)
  return !Object.entries(optionOfField).some(
    ([name, option]) => name === root && options[option] !== undefined,
  )
}
