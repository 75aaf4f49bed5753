import { type BashSandboxOptions, BashSandbox as CoreSandbox } from '../bash/bash-sandbox.ts'
import type { BashConfig } from '../bash/config/types.ts'
import { HostedStrandsSandbox } from './hosted-strands-sandbox.ts'
import type { StrandsOptions } from './options.ts'

/** Options of a {@link BashSandbox} that are not its config. */
export interface StrandsBashOptions extends StrandsOptions, BashSandboxOptions {}

/**
 * The `BashSandbox` of this package as a `Sandbox` of the Strands SDK: `new Agent({ sandbox })` gives the agent
 * `sandbox_bash` and `sandbox_file_editor`. What the SDK's interface does not have is that of `inner`. One that is
 * dropped without being closed gives its place up when it is collected.
 */
export class BashSandbox extends HostedStrandsSandbox<CoreSandbox> {
  /**
   * Validates the config and starts nothing: the first call opens the session.
   *
   * @throws {SandboxConfigError} naming the field that is not valid
   */
  constructor(config?: BashConfig, { tools, ...options }: StrandsBashOptions = {}) {
    super(new CoreSandbox(config, options), tools)
  }

  /**
   * Makes a sandbox and opens its session.
   *
   * @throws as the constructor and `open` of the sandbox itself
   */
  static async open(config?: BashConfig, options?: StrandsBashOptions): Promise<BashSandbox> {
    const sandbox = new BashSandbox(config, options)
    await sandbox.inner.open()
    return sandbox
  }
}
