import { registryOf, type SandboxHost, type SessionRegistry } from '../host/sandbox-host.ts'
import { reading, refuse, requireOptions } from '../sandbox/arguments.ts'
import { kindOf } from '../sandbox/show-value.ts'
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
  /**
   * Whether only the files of the snapshot are taken, in the place of the `files` of the config. It can be one of the other shell
   * then. All else is as the config says: `env`, `cwd`, `writable` and `init`. A session that begins afresh has these files again.
   *
   * @default false
   */
  readonly filesOnly?: boolean | undefined
}

/** The options of a sandbox, each read once. */
interface ResolvedSandboxOptions {
  /** Undefined: the default host. */
  readonly host: SessionRegistry | undefined
  /** Whatever they have as a snapshot. */
  readonly snapshot: unknown
  readonly filesOnly: boolean
}

const KNOWN: readonly (keyof HostedSandboxOptions)[] = ['host', 'snapshot', 'filesOnly']

/** Reads the options of a sandbox. @throws SandboxConfigError naming the option that is not valid */
export function resolveSandboxOptions(options: unknown): ResolvedSandboxOptions {
  if (options === undefined) return { host: undefined, snapshot: undefined, filesOnly: false }
  if (typeof options !== 'object' || options === null) {
    throw refuse('options', `must be an object like { host }, but is ${kindOf(options)}.`)
  }
  return reading('options', () => {
    requireOptions(options, KNOWN)
    const {
      host,
      snapshot,
      filesOnly = false,
    }: Partial<Record<keyof HostedSandboxOptions, unknown>> = options
    if (typeof filesOnly !== 'boolean')
      throw refuse('filesOnly', `must be true or false, but is ${kindOf(filesOnly)}.`)
    if (filesOnly && snapshot === undefined)
      throw refuse('filesOnly', 'is said without a snapshot. Give the snapshot whose files are taken.')
    if (host === undefined) return { host, snapshot, filesOnly }
    const registry = registryOf(host)
    if (registry === undefined) throw refuse('host', `must be a ShellHost, but is ${kindOf(host)}.`)
    return { host: registry, snapshot, filesOnly }
  })
}
