import type { ChangeToolId } from '../mcp/options.ts'
import { PROGRAM, usageError } from './failure.ts'
import { requireEngine } from './options/require-engine.ts'
import {
  asSandboxConfig,
  type CliConfig,
  configOf,
  inDirectory,
  inTermsOfOptions,
  isolationOf,
} from './options/sandbox-config.ts'
import type { SandboxOptions } from './options/sandbox-options.ts'
import type { Output } from './output.ts'
import { serverFailure } from './server-failure.ts'
import { openSessions, requireSessionName, type SessionDirectory } from './sessions/session-store.ts'
import { stopOnSignal } from './signals.ts'

/** The options of `mcp`, as commander hands them over. */
export interface McpOptions extends SandboxOptions {
  readonly cwd?: string
  /** A port. */
  readonly http?: number
  readonly hostname?: string
  readonly allowHost?: readonly string[]
  readonly allowOrigin?: readonly string[]
  readonly maxSessions?: number
  readonly changes?: boolean
  readonly applyChanges?: boolean
  /** Seconds. */
  readonly idleTimeout?: number
  /** Where the sandboxes of clients are stored. */
  readonly sessions?: string
  /** The name of the session of standard input and output. */
  readonly session?: string
}

/** Serves MCP until the input ends or a signal comes; gives the exit code. */
export async function mcp(options: McpOptions, stderr: Output): Promise<number> {
  const { http, hostname, allowHost, allowOrigin, maxSessions, idleTimeout, network, hardening } = options
  try {
    const { runMcp } = await import('../mcp/cli.ts')
    const kept = await keepOf(options)
    const given = inDirectory(await configOf(options, 'bash'), options.cwd)
    const config = kept === undefined ? given : withCheckpoints(given)
    const sandbox = asSandboxConfig(config)
    await requireEngine(config.shell)
    const server = {
      http,
      hostname,
      allowedHosts: allowHost,
      allowedOrigins: allowOrigin,
      maxSessions,
      idleTimeout,
      changeTools: changeToolsOf(options),
      session: options.session,
      store: kept?.store,
    }
    const hostOptions = { isolation: isolationOf(config, options, 'process'), network, hardening }
    const exitCode = await runMcp(
      { ...server, sandbox, hostOptions },
      // A log that cannot be written is no reason to stop serving.
      { log: (line) => stderr.write(`${PROGRAM}: ${line}\n`).catch(() => undefined), signal: stopOnSignal() },
    )
    await kept?.store.collect()
    return exitCode
  } catch (error) {
    throw serverFailure(error, 'server', optionNames) ?? inTermsOfOptions(error, options)
  }
}

/** Where the sandboxes of clients are stored; undefined where they are not. */
async function keepOf({ sessions, session, http }: McpOptions): Promise<SessionDirectory | undefined> {
  if (session === undefined && sessions === undefined) return undefined
  if (session !== undefined && http !== undefined)
    throw usageError(
      '--session is of standard input and output. Over HTTP each client has its own: leave it out.',
    )
  if (session !== undefined) requireSessionName('--session', session)
  return openSessions(sessions)
}

/** A config whose sessions are stored after each call, where it does not say when. */
function withCheckpoints(config: CliConfig): CliConfig {
  return { checkpoint: 'call', ...config }
}

function changeToolsOf({ changes = false, applyChanges = false }: McpOptions): ChangeToolId[] {
  return [...(changes ? ['changes' as const] : []), ...(applyChanges ? ['apply_changes' as const] : [])]
}

const optionNames: Readonly<Record<string, string>> = {
  token: 'STRANDS_SHELL_MCP_TOKEN',
  keepSessions: '--sessions',
  hostname: '--hostname',
  allowedHosts: '--allow-host',
  allowedOrigins: '--allow-origin',
  idleTimeout: '--idle-timeout',
}
