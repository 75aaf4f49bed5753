import { mergeConfig } from '../config/merge.ts'
import type { EngineName } from '../contract/lease.ts'
import { defaultsOfDefaultHost } from '../host/default-host.ts'
import { defaultsOf } from '../host/sandbox-host.ts'
import { reading } from '../sandbox/arguments.ts'

/**
 * Puts a sandbox's config over the defaults of the host that its options name, or of the default host. Options that are not
 * valid are refused by whoever reads them next.
 *
 * @throws {SandboxConfigError} where the config is no plain object
 */
export function withDefaults(shell: EngineName, config: unknown, options: unknown): unknown {
  const defaults = reading('options', () => {
    const host: unknown =
      typeof options === 'object' && options !== null ? Reflect.get(options, 'host') : undefined
    return host === undefined ? defaultsOfDefaultHost(shell) : defaultsOf(host, shell)
  })
  return defaults === undefined ? config : mergeConfig(defaults, config)
}
