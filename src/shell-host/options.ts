import type { HostOptions } from '../host/options.ts'
import { reading } from '../sandbox/arguments.ts'
import type { StrandsShellConfig } from '../strands-shell/config/types.ts'

/** Options of a {@link ShellHost}. Durations are in seconds. */
export interface ShellHostOptions extends HostOptions {
  /**
   * The config of sandboxes that the host opens, where theirs says nothing else: `env` and `limits` are merged name by
   * name, every other field is taken whole from the one or the other.
   *
   * @default {}
   */
  readonly defaults?: StrandsShellConfig | undefined
}

/** Separates the defaults of sandboxes from the options of the host. @throws {SandboxConfigError} where they cannot be read */
export function splitOptions(options: ShellHostOptions): {
  readonly defaults: StrandsShellConfig | undefined
  readonly hostOptions: HostOptions
} {
  if (typeof options !== 'object' || options === null) return { defaults: undefined, hostOptions: options }
  return reading('options', () => {
    const { defaults, ...hostOptions } = options
    return { defaults, hostOptions }
  })
}
