import type { JailDescription } from '../contract/shell-api.ts'
import { HostedSandbox } from '../hosted-sandbox/hosted-sandbox.ts'
import type { HostedSandboxOptions } from '../hosted-sandbox/sandbox-options.ts'
import { withDefaults } from '../hosted-sandbox/with-defaults.ts'
import { isJailDescription } from '../session/description-schema.ts'
import { resolveJailConfig } from './config/resolve.ts'
import type { JailConfig } from './config/types.ts'

/** Options of a {@link JailSandbox} that are not its config. */
export type JailSandboxOptions = Omit<HostedSandboxOptions, 'snapshot'>

/**
 * A sandbox that runs commands in the machine's own bash, with the machine's own programs, in a jail of Linux namespaces. It
 * needs Linux and `bubblewrap`. There are no snapshots of it.
 */
export class JailSandbox extends HostedSandbox<JailDescription> {
  /**
   * Validates the config, over the `defaults` of the host that the options name, and starts nothing: the first call opens
   * the session.
   *
   * @throws {SandboxConfigError} naming the field that is not valid
   */
  constructor(config: JailConfig = {}, options?: JailSandboxOptions) {
    super(resolveJailConfig(withDefaults('jail', config, options)), options, { accepts: isJailDescription })
  }

  override get shell(): 'jail' {
    return 'jail'
  }

  /**
   * Makes a sandbox and opens its session.
   *
   * @throws {SandboxConfigError} where the config is not valid, or `init` failed; no jail is left behind
   * @throws {EngineUnavailableError} where there are no jails on this machine, with what to do
   */
  static async open(config?: JailConfig, options?: JailSandboxOptions): Promise<JailSandbox> {
    const sandbox = new JailSandbox(config, options)
    try {
      await sandbox.open()
    } catch (error) {
      await sandbox.close()
      throw error
    }
    return sandbox
  }
}
