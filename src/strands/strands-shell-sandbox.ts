import type { StrandsShellConfig } from '../strands-shell/config/types.ts'
import {
  StrandsShellSandbox as CoreSandbox,
  type StrandsShellSandboxOptions,
} from '../strands-shell/strands-shell-sandbox.ts'
import { HostedStrandsSandbox } from './hosted-strands-sandbox.ts'
import type { StrandsOptions } from './options.ts'

/** Options of a {@link StrandsShellSandbox} that are not its config. */
export interface StrandsShellOptions extends StrandsOptions, StrandsShellSandboxOptions {}

/**
 * The `StrandsShellSandbox` of this package as a `Sandbox` of the Strands SDK: `new Agent({ sandbox })` gives the agent
 * `sandbox_bash` and `sandbox_file_editor`. What the SDK's interface does not have (`changes()`, `describe()`,
 * `setEnv()`, …) is that of `inner`. One that is dropped without being closed gives its place up when it is collected.
 */
export class StrandsShellSandbox extends HostedStrandsSandbox<CoreSandbox> {
  /**
   * Validates the config and starts nothing: the first call opens the session.
   *
   * @throws {SandboxConfigError} naming the field that is not valid
   */
  constructor(config?: StrandsShellConfig, { tools, ...options }: StrandsShellOptions = {}) {
    super(new CoreSandbox(config, options), tools)
  }

  /**
   * Makes a sandbox and opens its session.
   *
   * @throws as the constructor and `open` of the sandbox itself
   */
  static async open(
    config?: StrandsShellConfig,
    options?: StrandsShellOptions,
  ): Promise<StrandsShellSandbox> {
    const sandbox = new StrandsShellSandbox(config, options)
    await sandbox.inner.open()
    return sandbox
  }
}
