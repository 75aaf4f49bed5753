import { mergeConfig } from '../config/merge.ts'
import type { EngineName } from '../contract/lease.ts'
import { defaultsOf } from '../host/sandbox-host.ts'
import { reading } from '../sandbox/arguments.ts'

/**
 * Puts a sandbox's config over the defaults of the host that its options name. Options that are not valid are refused by
 * whoever reads them next.
 *
 * @throws {SandboxConfigError} where the config is no plain object
 */
export function withDefaults(shell: EngineName, config: unknown, options: unknown): unknown {
  if (typeof options !== 'object' || options === null) return config
  const defaults = reading('options', () => defaultsOf(Reflect.get(options, 'host'), shell))
  return defaults === undefined ? config : mergeConfig(defaults, config)
}
