import type { StrandsDescription } from '../contract/shell-api.ts'
import { strandsEngine } from '../engines/strands/strands-engine.ts'
import { HostedSandbox } from '../hosted-sandbox/hosted-sandbox.ts'
import type { HostedSandboxOptions } from '../hosted-sandbox/sandbox-options.ts'
import { withDefaults } from '../hosted-sandbox/with-defaults.ts'
import { isStrandsDescription } from '../session/description-schema.ts'
import { resolveConfig } from './config/resolve.ts'
import type { StrandsShellConfig } from './config/types.ts'

/** Options of a {@link StrandsShellSandbox} that are not its config. */
export type StrandsShellSandboxOptions = HostedSandboxOptions

/**
 * A sandbox that runs commands in a native Strands Shell of its own, in a worker thread of its own or one that it
 * shares, as its isolation says.
 */
export class StrandsShellSandbox extends HostedSandbox<StrandsDescription> {
  /**
   * Validates the config, over the `defaults` of the host that the options name, and starts nothing: the first call opens
   * the session.
   *
   * @throws {SandboxConfigError} naming the field that is not valid
   */
  constructor(config: StrandsShellConfig = {}, options?: StrandsShellSandboxOptions) {
    super({ engine: strandsEngine, ...resolveConfig(withDefaults('strands', config, options)) }, options, {
      accepts: isStrandsDescription,
    })
  }

  override get shell(): 'strands' {
    return 'strands'
  }

  /**
   * Makes a sandbox and opens its session.
   *
   * @throws {SandboxConfigError} where the config is not valid or the engine refuses it, as for a bind whose
   *   source does not exist; no worker is left behind
   * @throws {EngineUnavailableError} when there is no engine for this machine
   */
  static async open(
    config?: StrandsShellConfig,
    options?: StrandsShellSandboxOptions,
  ): Promise<StrandsShellSandbox> {
    const sandbox = new StrandsShellSandbox(config, options)
    await sandbox.open()
    return sandbox
  }
}
