import type { Continuation } from '../config/continuation.ts'
import type { Isolation, NetworkMode } from '../contract/isolation.ts'
import type { EngineName } from '../contract/lease.ts'
import type { BindRecord } from '../contract/shell-record.ts'
import { DEFAULT_ISOLATION } from '../host/default-host.ts'
import type { SandboxHost } from '../host/sandbox-host.ts'
import type { HeldConfig } from '../session/session-config.ts'

/** What can be said of a sandbox before it is opened: no token, and no path of the host. */
export interface SandboxSummary {
  /** The shell that runs its commands. */
  readonly shell: EngineName
  /** The directory that a session begins in. */
  readonly directory: string
  /** Directories of its config that can be written, besides home and `/tmp`. Of bash and of a jail every directory can. */
  readonly writable: readonly string[]
  /** Whether there is `python3`. */
  readonly python: boolean
  /** The functions of the caller that are commands of its shell. */
  readonly commands: readonly {
    /** As the shell calls it. */
    readonly name: string
    /** What it does. */
    readonly description: string
  }[]
  /** What it has for itself. */
  readonly isolation: Isolation
  /**
   * What it reaches of the network. `'public'`: every public host, and what `allowedUrls` names. `'allowlist'`: what
   * `allowedUrls` names. `'none'`: nothing. Undefined where its host does not tell. Bash and jails have never more
   * than `'allowlist'`.
   */
  readonly network: NetworkMode | undefined
  /** Host directories and files in it, without their paths on the host. */
  readonly binds: readonly {
    /** The path in the sandbox, absolute. */
    readonly destination: string
    /** How it is bound. */
    readonly mode: BindRecord['mode']
    /** Whether the sandbox may not write to it. */
    readonly readonly: boolean
  }[]
  /** URL prefixes of its config that may be reached. */
  readonly allowedUrls: readonly string[]
  /** The addresses below which requests get a token. */
  readonly credentialUrls: readonly string[]
  /** Seconds a command may run; undefined where only a config file says. */
  readonly timeout: number | undefined
  /** What a timeout or an abort of a call does to its session. */
  readonly onInterrupt: Continuation['onInterrupt']
  /** What follows a lost session. */
  readonly onLost: Continuation['onLost']
  /** Whether a config file can add to all of this. */
  readonly hasConfigFile: boolean
}

/** Seconds a command may run where neither the config nor its file says. */
const ENGINE_TIMEOUT = 30

/** The home of every Strands Shell session. */
export const STRANDS_HOME = '/home/lash'

/** Sums up a config, and what its host makes of it; without a host, what the default one will. */
export function summarize(config: HeldConfig, host: SandboxHost | undefined): SandboxSummary {
  const { record, onInterrupt, onLost } = config
  const isolation = config.isolation ?? host?.isolation ?? DEFAULT_ISOLATION
  const hasConfigFile = record.engine === 'strands' && record.configFile !== undefined
  return {
    shell: record.engine,
    directory: record.cwd ?? STRANDS_HOME,
    writable: [...(record.writable ?? [])],
    python: record.engine === 'jail' || (record.engine === 'bash' && record.python),
    commands:
      record.engine === 'bash' ? record.commands.map(({ name, description }) => ({ name, description })) : [],
    isolation,
    network: networkOf(config, isolation, host),
    binds: record.binds.map(({ destination, mode, readonly }) => ({ destination, mode, readonly })),
    allowedUrls: [...record.allowedUrls],
    credentialUrls: record.credentials.map(({ url }) => url),
    timeout: record.timeout ?? (hasConfigFile ? undefined : ENGINE_TIMEOUT),
    onInterrupt,
    onLost,
    hasConfigFile,
  }
}

/** Bash and jails reach what their config names and no more; Strands Shell is held to that in cells alone. */
function networkOf(
  { record }: HeldConfig,
  isolation: Isolation,
  host: SandboxHost | undefined,
): NetworkMode | undefined {
  const ofHost = host === undefined ? 'allowlist' : host.network
  if (record.engine === 'strands') return isolation === 'process' ? ofHost : 'public'
  const closed = record.allowedUrls.length === 0 || (isolation === 'process' && ofHost === 'none')
  return closed ? 'none' : 'allowlist'
}
