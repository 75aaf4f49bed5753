import type { ChangeToolId } from '../mcp/options.ts'
import { SandboxConfigError } from '../sandbox/errors.ts'
import { isError } from '../sandbox/kinds.ts'
import { EXIT } from './exit-codes.ts'
import { CliError, exitCodeOf, PROGRAM, usageError } from './failure.ts'
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
import { requireKeepable } from './sessions/open-session.ts'
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
  const { http, hostname, allowHost, allowOrigin, maxSessions, idleTimeout, network } = options
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
    const hostOptions = { isolation: isolationOf(config, options, 'process'), network }
    const exitCode = await runMcp(
      { ...server, sandbox, hostOptions },
      // A log that cannot be written is no reason to stop serving.
      { log: (line) => stderr.write(`${PROGRAM}: ${line}\n`).catch(() => undefined), signal: stopOnSignal() },
    )
    await kept?.store.collect()
    return exitCode
  } catch (error) {
    throw ofServer(error) ?? inTermsOfOptions(error, options)
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
  const kept = { checkpoint: 'call', ...config }
  requireKeepable('--sessions', kept)
  return kept
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

/** What the server has against its surroundings, in terms of the command line; undefined for anything else. */
function ofServer(error: unknown): CliError | undefined {
  if (error instanceof SandboxConfigError && Object.hasOwn(optionNames, error.field)) {
    const message = error.message.replace(error.field, optionNames[error.field] ?? error.field)
    return new CliError(message, exitCodeOf(error), { cause: error })
  }
  if (!(isError(error) && 'code' in error)) return undefined
  if (error.code === 'ERR_MODULE_NOT_FOUND')
    return new CliError(error.message, EXIT.runtime, { cause: error })
  if (!('syscall' in error)) return undefined
  return new CliError(`the server cannot listen: ${error.message}.`, EXIT.runtime, { cause: error })
}
