import { registryOf, type SandboxHost, type SessionRegistry } from '../host/sandbox-host.ts'
import { reading, refuse } from '../sandbox/arguments.ts'
import { kindOf, quote } from '../sandbox/show-value.ts'
import type { Snapshot } from '../snapshot/snapshot.ts'

/** Options of a sandbox that are not its config. */
export interface HostedSandboxOptions {
  /**
   * The host that leases the worker.
   *
   * @default the process-wide default host
   */
  readonly host?: SandboxHost | undefined
  /**
   * What the session begins with instead of the `files`, `env`, `cwd`, `writable` and `init` of the config. Binds, `commands`,
   * `credentials`, `allowedUrls` and limits are those of the config. A session that is reset begins as the config says.
   *
   * @default undefined (the session begins as the config says)
   */
  readonly snapshot?: Snapshot | undefined
}

/** The options of a sandbox, each read once. */
interface ResolvedSandboxOptions {
  /** Undefined: the default host. */
  readonly host: SessionRegistry | undefined
  /** Whatever they have as a snapshot. */
  readonly snapshot: unknown
}

/** Reads the options of a sandbox. @throws SandboxConfigError naming the option that is not valid */
export function resolveSandboxOptions(options: unknown): ResolvedSandboxOptions {
  if (options === undefined) return { host: undefined, snapshot: undefined }
  if (typeof options !== 'object' || options === null) {
    throw refuse('options', `must be an object like { host }, but is ${kindOf(options)}.`)
  }
  return reading('options', () => {
    const unknown = Object.keys(options).find((key) => key !== 'host' && key !== 'snapshot')
    if (unknown !== undefined)
      throw refuse('options', `knows host and snapshot alone, but has ${quote(unknown)}.`)
    const { host, snapshot }: { readonly host?: unknown; readonly snapshot?: unknown } = options
    if (host === undefined) return { host, snapshot }
    const registry = registryOf(host)
    if (registry === undefined) throw refuse('host', `must be a ShellHost, but is ${kindOf(host)}.`)
    return { host: registry, snapshot }
  })
}
