import type { BashDescription } from '../contract/shell-api.ts'
import { HostedSandbox } from '../hosted-sandbox/hosted-sandbox.ts'
import type { HostedSandboxOptions } from '../hosted-sandbox/sandbox-options.ts'
import { withDefaults } from '../hosted-sandbox/with-defaults.ts'
import { isBashDescription } from '../session/description-schema.ts'
import { HostCommands } from '../session/host-commands.ts'
import { resolveBashConfig } from './config/resolve.ts'
import type { BashConfig } from './config/types.ts'

/** Options of a {@link BashSandbox} that are not its config. */
export type BashSandboxOptions = HostedSandboxOptions

/**
 * A sandbox that runs commands in bash: the language and its usual programs in JavaScript, with files in memory. It needs
 * the package `just-bash`.
 */
export class BashSandbox extends HostedSandbox<BashDescription> {
  /**
   * Validates the config, over the `defaults` of the host that the options name, and starts nothing: the first call opens
   * the session.
   *
   * @throws {SandboxConfigError} naming the field that is not valid
   */
  constructor(config: BashConfig = {}, options?: BashSandboxOptions) {
    const { session, commands, maxOutput } = resolveBashConfig(withDefaults('bash', config, options))
    super(session, options, {
      accepts: isBashDescription,
      hostCommands: commands.length === 0 ? undefined : new HostCommands(commands, maxOutput),
    })
  }

  override get shell(): 'bash' {
    return 'bash'
  }

  /**
   * Makes a sandbox and opens its session.
   *
   * @throws {SandboxConfigError} where the config is not valid, or `init` failed; no worker is left behind
   * @throws {EngineUnavailableError} where `just-bash` is not installed in the version that this package needs
   */
  static async open(config?: BashConfig, options?: BashSandboxOptions): Promise<BashSandbox> {
    const sandbox = new BashSandbox(config, options)
    await sandbox.open()
    return sandbox
  }
}
