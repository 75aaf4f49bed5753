import type { StrandsDescription } from '../contract/shell-api.ts'
import { strandsEngine } from '../engines/strands/strands-engine.ts'
import { HostedSandbox } from '../hosted-sandbox/hosted-sandbox.ts'
import type { HostedSandboxOptions } from '../hosted-sandbox/sandbox-options.ts'
import { withDefaults } from '../hosted-sandbox/with-defaults.ts'
import { isStrandsDescription } from '../session/description-schema.ts'
import { type ResolvedConfig, resolveConfig } from './config/resolve.ts'
import type { StrandsShellConfig } from './config/types.ts'

/** Options of a {@link StrandsShellSandbox} that are not its config. */
export type StrandsShellSandboxOptions = HostedSandboxOptions

/** What configs stand for that forks are made with. */
const forked = new WeakMap<StrandsShellConfig, ResolvedConfig>()

/**
 * A sandbox that runs commands in a native Strands Shell of its own, in a worker thread of its own or one that it
 * shares, as its isolation says.
 */
export class StrandsShellSandbox extends HostedSandbox<StrandsDescription> {
  readonly #resolved: ResolvedConfig
  readonly #host: StrandsShellSandboxOptions['host']

  /**
   * Validates the config, over the `defaults` of the host that the options name, and starts nothing: the first call opens
   * the session.
   *
   * @throws {SandboxConfigError} naming the field that is not valid
   */
  constructor(config: StrandsShellConfig = {}, options?: StrandsShellSandboxOptions) {
    const resolved = forked.get(config) ?? resolveConfig(withDefaults('strands', config, options))
    super({ engine: strandsEngine, ...resolved }, options, { accepts: isStrandsDescription })
    this.#resolved = resolved
    this.#host = options?.host
  }

  override get shell(): 'strands' {
    return 'strands'
  }

  /**
   * Opens a second sandbox with the same config, on the same host, which has all that this one has now but what
   * `snapshot().omitted` names. What one of them does later the other does not see, but in direct binds, which both have.
   *
   * @throws as {@link StrandsShellSandbox.snapshot} does, and {@link StrandsShellSandbox.open}
   */
  async fork(): Promise<StrandsShellSandbox> {
    const snapshot = await this.snapshot()
    const config: StrandsShellConfig = {}
    forked.set(config, this.#resolved)
    return StrandsShellSandbox.open(config, { host: this.#host, snapshot })
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
    try {
      await sandbox.open()
    } catch (error) {
      await sandbox.close()
      throw error
    }
    return sandbox
  }
}
