import { reading, refuse } from '../../sandbox/arguments.ts'
import { kindOf, quote } from '../../sandbox/show-value.ts'
import type { SandboxIdentity } from '../../session/session.ts'
import type { ShellHost } from '../../shell-host/shell-host.ts'

/** Options of a sandbox that are not its config. */
export interface StrandsShellSandboxOptions {
  /**
   * The host that leases the worker.
   *
   * @default the process-wide default host
   */
  readonly host?: ShellHost | undefined
  /**
   * What the host knows the sandbox by: `ShellHost.open` sets it.
   *
   * @internal
   */
  readonly identity?: SandboxIdentity | undefined
}

/** @throws SandboxConfigError naming the option that is not valid */
export function resolveSandboxOptions(options: unknown): StrandsShellSandboxOptions {
  if (options === undefined) return {}
  if (typeof options !== 'object' || options === null) {
    throw refuse('options', `must be an object like { host }, but is ${kindOf(options)}.`)
  }
  return reading('options', () => {
    const unknown = Object.keys(options).find((key) => key !== 'host' && key !== 'identity')
    if (unknown !== undefined) throw refuse('options', `knows host alone, but has ${quote(unknown)}.`)
    const { host, identity } = options as StrandsShellSandboxOptions
    if (host === undefined || isHost(host)) return { host, identity }
    throw refuse('host', `must be a ShellHost, but is ${kindOf(host)}.`)
  })
}

/** By shape: a host of another copy of this package is as good. */
function isHost(host: unknown): host is ShellHost {
  return typeof host === 'object' && host !== null && 'enter' in host && typeof host.enter === 'function'
}
