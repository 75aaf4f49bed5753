import { mergeConfig } from '../config/merge.ts'
import type { EngineName } from '../contract/lease.ts'
import { isPlain } from '../contract/plain.ts'
import {
  type ConfigFields,
  checkConfig,
  DEFAULT_SHELL,
  hasField,
  hasLimit,
  type ShellConfigs,
  shellOf,
} from './shells.ts'

/**
 * The config of a sandbox whose shell is `Shell`, as a host opens it. `Shell` is inferred from the `shell` of the config;
 * for a config whose shell is known at run time only, name it: `host.open<EngineName>(config)`.
 */
export type OpenConfig<Shell extends EngineName> = ShellConfigs[Shell] & {
  /**
   * The shell that runs its commands.
   *
   * @default that of the host's `defaults`, or `'strands'`
   */
  readonly shell?: Shell | undefined
}

/** The config of a sandbox of any shell: one without `shell` is of Strands Shell. */
export type SandboxConfig =
  | OpenConfig<'strands'>
  | (OpenConfig<'bash'> & {
      /** Bash. */
      readonly shell: 'bash'
    })
  | (OpenConfig<'jail'> & {
      /** A jail. */
      readonly shell: 'jail'
    })

/** A config that was read once, and the shell that it is for. */
interface Planned {
  readonly shell: EngineName
  readonly config: ConfigFields
  /** The fields that it names by itself. */
  readonly named: readonly string[]
}

/** The config of a host's sandboxes where theirs says nothing else. */
export class ConfigDefaults {
  /** The shell of a sandbox whose config names none. */
  readonly shell: EngineName
  readonly #config: ConfigFields

  /** @throws {SandboxConfigError} naming the field that is not valid */
  constructor(defaults: unknown) {
    this.#config = mergeConfig({}, defaults)
    this.shell = shellOf(this.#config) ?? DEFAULT_SHELL
    checkConfig(this.shell, this.#config)
  }

  /** Puts a config over the defaults that its shell has. @throws {SandboxConfigError} where it is no plain object or names no shell that there is */
  plan(config: unknown): Planned {
    const given = mergeConfig({}, config)
    const shell = shellOf(given) ?? this.shell
    return { shell, config: mergeConfig(this.for(shell), given), named: Object.keys(given) }
  }

  /** What of them the sandboxes of a shell have. */
  for(shell: EngineName): ConfigFields {
    if (shell === this.shell) return this.#config
    const known = Object.entries(this.#config).filter(
      ([field]) => field !== 'shell' && hasField(shell, field),
    )
    return Object.fromEntries(
      known.map(([field, value]) => [field, field === 'limits' ? limitsFor(shell, value) : value]),
    )
  }
}

function limitsFor(shell: EngineName, limits: unknown): unknown {
  if (typeof limits !== 'object' || limits === null || !isPlain(limits)) return limits
  return Object.fromEntries(Object.entries(limits).filter(([name]) => hasLimit(shell, name)))
}
