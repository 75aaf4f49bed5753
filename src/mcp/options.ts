import type { EngineName } from '../contract/lease.ts'
import { SandboxConfigError } from '../sandbox/errors.ts'
import { packageVersion } from '../sandbox/package-version.ts'
import { kindOf, showValue } from '../sandbox/show-value.ts'
import type { SandboxConfig } from '../shell-host/sandbox-config.ts'
import type { ShellHost } from '../shell-host/shell-host.ts'
import type { SandboxToolsOptions } from '../tools/options.ts'

/** Options of one session's server. Durations are in seconds. */
export interface McpServerOptions {
  /**
   * The config of the session's sandbox, over the `defaults` of its host. `shell: 'bash'` gives the client bash.
   *
   * @default {}
   */
  readonly sandbox?: SandboxConfig | undefined
  /**
   * Which tools there are, what they are called, and how much they give back.
   *
   * @default {} (all of them)
   */
  readonly tools?: SandboxToolsOptions | undefined
  /**
   * Tools about what the session changed in bound directories, besides those of `tools`: `'changes'` tells it, and
   * `'apply_changes'` writes changes of a copy to the host, without a person who looks at them first. A client has them
   * where its sandbox has such a bind: a writable one that is `'direct'` or a copy; for `apply_changes` a copy.
   *
   * @default [] (none)
   */
  readonly changeTools?: readonly ChangeToolId[] | undefined
  /**
   * What the server calls itself.
   *
   * @default 'strands-shell-runtime'
   */
  readonly name?: string | undefined
  /**
   * The version it gives of itself.
   *
   * @default this package's
   */
  readonly version?: string | undefined
  /**
   * Seconds without a call after which the session's sandbox is closed. The next call opens a fresh one, and says that
   * the old one's files and variables are gone. At most 86400 (a day).
   *
   * @default 1800 (half an hour)
   */
  readonly idleTimeout?: number | undefined
}

/** What {@link McpServerOptions.changeTools} can name. */
export type ChangeToolId = 'changes' | 'apply_changes'

/** The names of {@link McpServerOptions}. */
export const sessionOptions = [
  'sandbox',
  'tools',
  'changeTools',
  'name',
  'version',
  'idleTimeout',
] as const satisfies readonly (keyof McpServerOptions)[]

/** Options that are all there. */
export interface ResolvedMcpOptions {
  readonly sandbox: SandboxConfig
  readonly tools: SandboxToolsOptions
  readonly changeTools: readonly ChangeToolId[]
  readonly name: string
  readonly version: string
  readonly idleTimeout: number
}

/** @throws {SandboxConfigError} naming the option that is not valid */
export function resolveMcpOptions(options: McpServerOptions = {}): ResolvedMcpOptions {
  const { sandbox = {}, tools = {}, name = 'strands-shell-runtime', idleTimeout = 1800 } = options
  return {
    sandbox,
    tools,
    changeTools: resolveChangeTools(options.changeTools),
    name: requireText('name', name),
    version: requireText('version', options.version ?? packageVersion()),
    idleTimeout: requireSeconds('idleTimeout', idleTimeout),
  }
}

/** An error for an option that is not valid. */
export function refuseOption(field: string, problem: string): SandboxConfigError {
  return new SandboxConfigError(`${field} ${problem}`, { field })
}

const changeToolIds: readonly ChangeToolId[] = ['changes', 'apply_changes']

function resolveChangeTools(given: unknown): readonly ChangeToolId[] {
  if (given === undefined) return []
  if (!Array.isArray(given)) {
    throw refuseOption(
      'changeTools',
      `must be a list of ${changeToolIds.join(', ')}, but is ${kindOf(given)}.`,
    )
  }
  const unknown = given.findIndex((id: unknown) => !changeToolIds.some((known) => known === id))
  if (unknown === -1) return changeToolIds.filter((known) => given.includes(known))
  throw refuseOption(
    `changeTools[${unknown}]`,
    `must be one of ${changeToolIds.join(', ')}, but is ${showValue(given[unknown])}.`,
  )
}

function requireSeconds(field: string, value: unknown): number {
  if (typeof value === 'number' && value > 0 && value <= 86_400) return value
  throw refuseOption(field, `must be a number of seconds above 0, at most 86400, but is ${showValue(value)}.`)
}

/** @throws {SandboxConfigError} for what is neither a function nor undefined */
export function requireFunction(field: string, value: unknown): void {
  if (value === undefined || typeof value === 'function') return
  throw refuseOption(field, `must be a function, but is ${kindOf(value)}.`)
}

/** @throws {SandboxConfigError} where a host is not there, or stores nothing */
export function requireStore(field: string, host: ShellHost<EngineName> | undefined): void {
  if (host?.hibernates === true) return
  throw refuseOption(
    field,
    'needs a host that stores sessions: host: new ShellHost({ hibernate: { store } }).',
  )
}

/** @throws {SandboxConfigError} for what is no text */
export function requireText(field: string, value: unknown): string {
  if (typeof value === 'string' && value !== '') return value
  throw refuseOption(field, `must be a string that is not empty, but is ${showValue(value)}.`)
}
