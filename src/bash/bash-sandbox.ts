import type { BashDescription } from '../contract/shell-api.ts'
import { HostedSandbox } from '../hosted-sandbox/hosted-sandbox.ts'
import type { HostedSandboxOptions } from '../hosted-sandbox/sandbox-options.ts'
import { withDefaults } from '../hosted-sandbox/with-defaults.ts'
import { isBashDescription } from '../session/description-schema.ts'
import { HostCommands } from '../session/host-commands.ts'
import { type ResolvedBashConfig, resolveBashConfig } from './config/resolve.ts'
import type { BashConfig } from './config/types.ts'

/** Options of a {@link BashSandbox} that are not its config. */
export type BashSandboxOptions = HostedSandboxOptions

/** What configs stand for that forks are made with. */
const forked = new WeakMap<BashConfig, ResolvedBashConfig>()

/**
 * A sandbox that runs commands in bash: the language and its usual programs in JavaScript, with files in memory. It needs
 * the package `just-bash`.
 */
export class BashSandbox extends HostedSandbox<BashDescription> {
  readonly #resolved: ResolvedBashConfig
  readonly #host: BashSandboxOptions['host']

  /**
   * Validates the config, over the `defaults` of the host that the options name, and starts nothing: the first call opens
   * the session.
   *
   * @throws {SandboxConfigError} naming the field that is not valid
   */
  constructor(config: BashConfig = {}, options?: BashSandboxOptions) {
    const resolved = forked.get(config) ?? resolveBashConfig(withDefaults('bash', config, options))
    const { session, commands, maxOutput } = resolved
    super(session, options, {
      accepts: isBashDescription,
      hostCommands: commands.length === 0 ? undefined : new HostCommands(commands, maxOutput),
    })
    this.#resolved = resolved
    this.#host = options?.host
  }

  override get shell(): 'bash' {
    return 'bash'
  }

  /**
   * Opens a second sandbox with the same config, on the same host, which has all that this one has now. What one of them does
   * later the other does not see, but in direct binds, which both have.
   *
   * @throws as {@link BashSandbox.snapshot} does, and {@link BashSandbox.open}
   */
  async fork(): Promise<BashSandbox> {
    const snapshot = await this.snapshot()
    const config: BashConfig = {}
    forked.set(config, this.#resolved)
    return BashSandbox.open(config, { host: this.#host, snapshot })
  }

  /**
   * Makes a sandbox and opens its session.
   *
   * @throws {SandboxConfigError} where the config is not valid, or `init` failed; no worker is left behind
   * @throws {EngineUnavailableError} where `just-bash` is not installed in the version that this package needs
   * @throws {SnapshotError} where a snapshot is given that the sandbox cannot begin with
   */
  static async open(config?: BashConfig, options?: BashSandboxOptions): Promise<BashSandbox> {
    const sandbox = new BashSandbox(config, options)
    try {
      await sandbox.open()
    } catch (error) {
      await sandbox.close()
      throw error
    }
    return sandbox
  }
}
