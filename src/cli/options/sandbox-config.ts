import { resolve } from 'node:path/posix'
import { mergeConfig } from '../../config/merge.ts'
import type { Isolation } from '../../contract/isolation.ts'
import { ENGINE_NAMES, type EngineName } from '../../contract/lease.ts'
import type { Policy } from '../../policy/types.ts'
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
  if (config.shell === 'strands') return { ...config, shell: 'strands' }
  // Each is checked as that of its own shell.
  return config.shell === 'bash'
    ? { ...config, isolation: config.isolation, shell: 'bash' }
    : { ...config, isolation: undefined, shell: 'jail' }
}

async function fileConfig(options: SandboxOptions, fallback: EngineName): Promise<ConfigFields> {
  if (options.config === undefined) return {}
  const { readConfigFile } = await import('./config-file.ts')
  return readConfigFile(options.config, options.shell, fallback)
}

/** Of two values for one variable the last wins. */
async function configOfOptions(options: SandboxOptions): Promise<ConfigFields> {
  const { bind, file, writable, init, allowUrl, env, timeout, isolation, python, policy } = options
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
    policy: policy === undefined ? undefined : await policiesOf(policy),
  }
}

async function policiesOf(file: string): Promise<readonly Policy[]> {
  const { readPolicyFile } = await import('./policy-file.ts')
  return readPolicyFile('--policy', file)
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
  policy: 'policy',
} as const
const flags = { binds: '--bind', allowedUrls: '--allow-url', python: '--python' } as const

function refuseOptionsOfOthers(shell: EngineName, given: ConfigFields, { network }: SandboxOptions): void {
  for (const [field, flag] of Object.entries(flags)) {
    if (given[field] === undefined || hasField(shell, field)) continue
    const other = ENGINE_NAMES.find((name) => hasField(name, field))
    throw usageError(`${flag}: the ${shell} shell does not have this option. Use --shell ${other}.`)
  }
  if (shell === 'strands' || network !== 'public') return
  throw usageError(
    `--network: the ${shell} shell never reaches all public hosts. Leave --network out, or use --shell strands.`,
  )
}

/** What sandboxes have for themselves: a closed network and a jail take a process of their own. */
export function isolationOf(
  { isolation }: CliConfig,
  { network = 'public', hardening = 'none' }: SandboxOptions,
  fallback: Isolation,
): Isolation {
  return isolation ?? (network === 'public' && hardening === 'none' ? fallback : 'process')
}

/** The host that holds one sandbox to its network and its hardening; undefined where the default host does. */
export async function hostOfOne(config: CliConfig, options: SandboxOptions): Promise<ShellHost | undefined> {
  const { network, hardening } = options
  if (network === undefined && hardening === undefined) return undefined
  const { ShellHost } = await import('../../shell-host/shell-host.ts')
  return new ShellHost({ isolation: isolationOf(config, options, 'worker'), network, hardening })
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
        .replace(/^(?=(?:network|hardening): )/, '--')
  return new CliError(message, exitCodeOf(error), { cause: error })
}

/** Whether a field's value comes from the config file: each was valid there, so one of both is at fault. */
function isOfFile(field: string, options: SandboxOptions): boolean {
  if (options.config === undefined || field === 'network' || field === 'hardening') return false
  const [root = ''] = field.split(/[.[]/)
  return !Object.entries(optionOfField).some(
    ([name, option]) => name === root && options[option] !== undefined,
  )
}
