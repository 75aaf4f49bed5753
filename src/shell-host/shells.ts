import { BashSandbox } from '../bash/bash-sandbox.ts'
import { BASH_HOME, resolveBashConfig } from '../bash/config/resolve.ts'
import { bashNames } from '../bash/config/schema.ts'
import type { BashConfig } from '../bash/config/types.ts'
import { ENGINE_NAMES, type EngineName } from '../contract/lease.ts'
import { strandsEngine } from '../engines/strands/strands-engine.ts'
import type { HostedSandboxOptions } from '../hosted-sandbox/sandbox-options.ts'
import { STRANDS_HOME } from '../hosted-sandbox/summary.ts'
import { JAIL_HOME, resolveJailConfig } from '../jail/config/resolve.ts'
import { jailNames } from '../jail/config/schema.ts'
import type { JailConfig } from '../jail/config/types.ts'
import { JailSandbox } from '../jail/jail-sandbox.ts'
import { refuseFault } from '../sandbox/arguments.ts'
import { SandboxConfigError } from '../sandbox/errors.ts'
import { showValue } from '../sandbox/show-value.ts'
import { findUnknownOption } from '../sandbox/unknown-option.ts'
import type { SessionConfig } from '../session/session-config.ts'
import { resolveConfig } from '../strands-shell/config/resolve.ts'
import { strandsNames } from '../strands-shell/config/schema.ts'
import type { StrandsShellConfig } from '../strands-shell/config/types.ts'
import { StrandsShellSandbox } from '../strands-shell/strands-shell-sandbox.ts'

/** The configs of the shells, by name. */
export interface ShellConfigs {
  /** Of a {@link StrandsShellSandbox}. */
  readonly strands: StrandsShellConfig
  /** Of a {@link BashSandbox}. */
  readonly bash: BashConfig
  /** Of a {@link JailSandbox}. */
  readonly jail: JailConfig
}

/** The sandboxes of the shells, by name. */
export interface ShellSandboxes {
  /** Strands Shell: native, fast, about 40 commands. */
  readonly strands: StrandsShellSandbox
  /** Bash and its usual programs. */
  readonly bash: BashSandbox
  /** The machine's own bash and programs, in a jail. */
  readonly jail: JailSandbox
}

/** The shell of a sandbox whose config names none. */
export const DEFAULT_SHELL = 'strands'

/** What a config is before it is validated. */
export type ConfigFields = Readonly<Record<string, unknown>>

interface Shell<Name extends EngineName> {
  /** Where its sessions begin. */
  readonly home: string
  /** The fields of its config, and of the config's `limits`. */
  readonly names: { readonly fields: readonly string[]; readonly limits: readonly string[] }
  /** @throws {SandboxConfigError} naming the field that is not valid */
  resolve(config: ConfigFields): SessionConfig
  make(config: ConfigFields, options?: HostedSandboxOptions): ShellSandboxes[Name]
}

const shells: { readonly [Name in EngineName]: Shell<Name> } = {
  strands: {
    home: STRANDS_HOME,
    names: strandsNames,
    resolve: (config) => ({ engine: strandsEngine, ...resolveConfig(config) }),
    make: (config, options) => new StrandsShellSandbox(config, options),
  },
  bash: {
    home: BASH_HOME,
    names: bashNames,
    resolve: (config) => resolveBashConfig(config).session,
    make: (config, options) => new BashSandbox(config, options),
  },
  jail: {
    home: JAIL_HOME,
    names: jailNames,
    resolve: (config) => resolveJailConfig(config),
    make: (config, options) => new JailSandbox(config, options),
  },
}

/** Makes a sandbox of a shell and starts nothing. @throws {SandboxConfigError} naming the field that is not valid */
export function makeSandbox<Name extends EngineName>(
  shell: Name,
  config: ConfigFields,
  options?: HostedSandboxOptions,
): ShellSandboxes[Name] {
  refuseFieldsOfOthers(shell, config)
  return shells[shell].make(config, options)
}

/** The config of a shell, validated. @throws {SandboxConfigError} naming the field that is not valid */
export function checkConfig(shell: EngineName, config: ConfigFields): SessionConfig {
  refuseFieldsOfOthers(shell, config)
  return shells[shell].resolve(config)
}

/** Whether a sandbox is one of this shell. */
export function isOfShell<Name extends EngineName>(
  sandbox: ShellSandboxes[EngineName],
  shell: Name,
): sandbox is ShellSandboxes[Name] {
  return sandbox.shell === shell
}

/** The directory that a session begins in. */
export function directoryOf(shell: EngineName, { cwd }: ConfigFields): string {
  return typeof cwd === 'string' ? cwd : shells[shell].home
}

/**
 * Refuses a name that is neither an option of the call nor a field of any shell.
 *
 * @throws {SandboxConfigError} naming it
 */
export function requireNames(shell: EngineName, config: ConfigFields, options: readonly string[]): void {
  const names = Object.keys(config).filter((name) => !ENGINE_NAMES.some((one) => hasField(one, name)))
  const given = Object.fromEntries(names.map((name) => [name, undefined]))
  refuseFault(findUnknownOption(given, [...options, ...shells[shell].names.fields]))
}

/** Whether the config of a shell has this field. */
export function hasField(shell: EngineName, field: string): boolean {
  return shells[shell].names.fields.includes(field)
}

/** Whether the `limits` of a shell have this name. */
export function hasLimit(shell: EngineName, name: string): boolean {
  return shells[shell].names.limits.includes(name)
}

/** The shell that a config names; undefined where it names none. @throws {SandboxConfigError} with the field `shell` */
export function shellOf({ shell }: ConfigFields): EngineName | undefined {
  if (shell === undefined) return undefined
  const name = ENGINE_NAMES.find((one) => one === shell)
  if (name !== undefined) return name
  throw refused(
    'shell',
    `must be ${ENGINE_NAMES.map((one) => `'${one}'`)
      .join(', ')
      .replace(/, (?=[^,]*$)/, ' or ')}, but is ${showValue(shell)}.`,
  )
}

function refuseFieldsOfOthers(shell: EngineName, config: ConfigFields): void {
  for (const field of Object.keys(config)) {
    if (hasField(shell, field)) continue
    const owner = ENGINE_NAMES.find((other) => hasField(other, field))
    if (owner === undefined) continue
    throw refused(
      field,
      `is a field of the ${owner} shell, and this sandbox has the ${shell} shell. Say shell: '${owner}', or leave ${field} out.`,
    )
  }
}

function refused(field: string, problem: string): SandboxConfigError {
  return new SandboxConfigError(`Invalid sandbox config: ${field} ${problem}`, { field })
}
