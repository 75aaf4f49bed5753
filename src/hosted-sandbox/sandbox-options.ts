import { registryOf, type SandboxHost, type SessionRegistry } from '../host/sandbox-host.ts'
import { reading, refuse } from '../sandbox/arguments.ts'
import { kindOf, quote } from '../sandbox/show-value.ts'

/** Options of a sandbox that are not its config. */
export interface HostedSandboxOptions {
  /**
   * The host that leases the worker.
   *
   * @default the process-wide default host
   */
  readonly host?: SandboxHost | undefined
}

/** The host of the options; undefined where they name none. @throws SandboxConfigError naming the option that is not valid */
export function resolveHost(options: unknown): SessionRegistry | undefined {
  if (options === undefined) return undefined
  if (typeof options !== 'object' || options === null) {
    throw refuse('options', `must be an object like { host }, but is ${kindOf(options)}.`)
  }
  return reading('options', () => {
    const unknown = Object.keys(options).find((key) => key !== 'host')
    if (unknown !== undefined) throw refuse('options', `knows host alone, but has ${quote(unknown)}.`)
    const { host }: { readonly host?: unknown } = options
    if (host === undefined) return undefined
    const registry = registryOf(host)
    if (registry === undefined) throw refuse('host', `must be a ShellHost, but is ${kindOf(host)}.`)
    return registry
  })
}
