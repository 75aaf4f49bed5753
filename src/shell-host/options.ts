import type { EngineName } from '../contract/lease.ts'
import type { HostOptions } from '../host/options.ts'
import { reading } from '../sandbox/arguments.ts'
import type { OpenConfig } from './sandbox-config.ts'

/** Options of a {@link ShellHost}. Durations are in seconds. */
export interface ShellHostOptions<Shell extends EngineName = 'strands'> extends HostOptions {
  /**
   * The config of sandboxes that the host opens, where theirs says nothing else: `env`, `limits` and `files` are merged
   * name by name, every other field is taken whole from the one or the other. They hold for every way to open a sandbox on
   * the host, `new StrandsShellSandbox(config, { host })` included. Their `shell` is that of a sandbox whose config
   * names none. A sandbox of another shell gets those of the defaults that its shell knows, and not the others.
   *
   * @default {}
   */
  readonly defaults?: OpenConfig<Shell> | undefined
}

/** Separates the defaults of sandboxes from the options of the host. @throws {SandboxConfigError} where they cannot be read */
export function splitOptions<Shell extends EngineName>(
  options: ShellHostOptions<Shell>,
): {
  readonly defaults: OpenConfig<Shell> | undefined
  readonly hostOptions: HostOptions
} {
  if (typeof options !== 'object' || options === null) return { defaults: undefined, hostOptions: options }
  return reading('options', () => {
    const { defaults, ...hostOptions } = options
    return { defaults, hostOptions }
  })
}
